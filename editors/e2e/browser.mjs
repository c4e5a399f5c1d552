/** Flags of the headless browser: it neither needs a sandbox nor asks the net. */
export const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
