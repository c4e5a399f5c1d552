// Waiting for something to be so.

/** How long anything may take on a machine that is very busy (ms). */
export const patience = 90000;

export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

/** Waits until holds() gives something that counts as true, and returns it. */
export async function until(holds, what, ms = patience) {
  for (const end = Date.now() + ms; ;) {
    const v = await holds();
    if (v) return v;
    if (Date.now() > end) throw new Error(`never: ${what}`);
    await sleep(50);
  }
}
