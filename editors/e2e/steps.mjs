// Runs named steps one after the other and tells of each in a line of JSON:
// {"step", "seconds", "error"?, "told"?}. Each leaves a picture. Without a page,
// the rest is not tried.
import fs from 'node:fs';
import path from 'node:path';

export async function run(steps, state, shots) {
  if (shots) fs.mkdirSync(shots, { recursive: true });
  let failed = false;
  for (const [i, [name, step]] of Object.entries(steps).entries()) {
    if (failed && !state.ui) {
      console.log(JSON.stringify({ step: name, error: 'not tried: there is no page' }));
      continue;
    }
    const began = Date.now();
    const line = { step: name };
    try {
      line.told = await step(state);
    } catch (error) {
      failed = true;
      line.error = String(error.stack ?? error);
    }
    line.seconds = (Date.now() - began) / 1000;
    console.log(JSON.stringify(line));
    if (shots && state.ui) await state.ui.shot(path.join(shots, `${String(i + 1).padStart(2, '0')}-${name}.png`)).catch(() => {});
  }
  return !failed;
}
