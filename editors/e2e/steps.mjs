// Runs named steps in order and prints a line of JSON for each:
// {"step", "seconds", "error"?, "result"?}. Takes a screenshot after each step
// if there are a page and a folder. Stops at the first step that fails, because
// each step depends on those before it.
import fs from 'node:fs';
import path from 'node:path';

export async function run(steps, state, shots) {
  if (shots) fs.mkdirSync(shots, { recursive: true });
  for (const [i, [name, step]] of Object.entries(steps).entries()) {
    const began = Date.now();
    const line = { step: name };
    try {
      line.result = await step(state);
    } catch (error) {
      line.error = String(error.stack ?? error);
      await state.ui?.notifications().then(all => { line.error += `\nnotifications: ${all.join(' | ')}`; }, () => {});
    }
    line.seconds = (Date.now() - began) / 1000;
    if (shots && state.ui) await state.ui.shot(path.join(shots, `${String(i + 1).padStart(2, '0')}-${name}.png`)).catch(() => {});
    console.log(JSON.stringify(line));
    if (line.error) return false;
  }
  return true;
}
