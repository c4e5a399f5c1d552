// VS Code loads this file into the extension host.
const vscode = require('vscode');
const { watch } = require('./watch.cjs');

exports.run = async () => {
  const seen = watch(vscode); // before the extension is activated
  const { run } = await import('./steps.mjs');
  const { until } = await import('./until.mjs');
  const steps = { ...require('./findings.cjs'), ...require('./profiles.cjs').steps, ...require('./tests.cjs'), ...require('./server.cjs') };
  const ok = await run(steps, { vscode, until, seen });
  if (!ok) throw new Error('a step failed');
};
