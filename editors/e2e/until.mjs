// Waiting for conditions.

/** Limit of each wait in ms, long enough for a busy machine. */
export const patience = 180000;

export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

/** Waits until holds() returns a truthy value, and returns that value. */
export async function until(holds, what, ms = patience) {
  for (const end = Date.now() + ms; ;) {
    const v = await holds();
    if (v) return v;
    if (Date.now() > end) throw new Error(`never: ${what}`);
    await sleep(50);
  }
}
