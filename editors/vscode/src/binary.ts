// Finds the server's program. Only a trusted workspace can set leveret.path.
import * as fs from 'node:fs';
import * as path from 'node:path';

const program = process.platform === 'win32' ? 'leveret.exe' : 'leveret';

export interface Places {
  setting: string; // leveret.path
  search: string; // PATH
  untrusted: string[]; // folders of a workspace that is not trusted
  extension: string; // the extension's own folder
}

export interface Found {
  path?: string;
  tried: string[];
}

/** Uses the setting if it is not empty, else PATH, else the program in the extension. */
export function findBinary(places: Places): Found {
  if (places.setting !== '') {
    const tried = [expandHome(places.setting)];
    return { path: tried.find(p => path.isAbsolute(p) && runnable(p)), tried };
  }
  const tried = places.search
    .split(path.delimiter)
    .filter(dir => path.isAbsolute(dir)) // a relative one starts at the workspace
    .filter(dir => !places.untrusted.some(folder => inside(real(folder), real(dir))))
    .map(dir => path.join(dir, program));
  tried.push(path.join(places.extension, 'bin', `${process.platform}-${process.arch}`, program));
  return { path: tried.find(runnable), tried };
}

function inside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative);
}

function real(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    return file;
  }
}

function expandHome(file: string): string {
  const home = process.env.HOME ?? process.env.USERPROFILE;
  return file.startsWith('~/') && home ? path.join(home, file.slice(2)) : file;
}

function runnable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
