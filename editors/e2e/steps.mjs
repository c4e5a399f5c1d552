// Runs named steps one after the other and tells of each in a line of JSON:
// {"step", "seconds", "error"?, "told"?}. Each leaves a picture where there is a
// page and a folder for it. Each builds on those before it: the first that
// fails is the last that is tried.
import fs from 'node:fs';
import path from 'node:path';

export async function run(steps, state, shots) {
  if (shots) fs.mkdirSync(shots, { recursive: true });
  for (const [i, [name, step]] of Object.entries(steps).entries()) {
    const began = Date.now();
    const line = { step: name };
    try {
      line.told = await step(state);
    } catch (error) {
      line.error = String(error.stack ?? error);
      await state.ui?.told().then(all => { line.error += `\ntold to the user: ${all.join(' | ')}`; }, () => {});
    }
    line.seconds = (Date.now() - began) / 1000;
    if (shots && state.ui) await state.ui.shot(path.join(shots, `${String(i + 1).padStart(2, '0')}-${name}.png`)).catch(() => {});
    console.log(JSON.stringify(line));
    if (line.error) return false;
  }
  return true;
}
