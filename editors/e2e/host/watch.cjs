// Notes what the extension makes of VS Code's interface: its controller, what
// it reports of test runs, its status items, what it tells the user. All of it
// goes on to VS Code.

/** What a run was told, by the names of its items. */
function watchRun(run, request) {
  const told = { request, started: [], passed: [], failed: [], errored: [], skipped: [], coverage: [], ended: false };
  for (const kind of ['started', 'passed', 'failed', 'errored', 'skipped']) {
    const pass = run[kind].bind(run);
    run[kind] = (item, ...more) => {
      told[kind].push({ item, messages: [more[0]].flat() });
      pass(item, ...more);
    };
  }
  const cover = run.addCoverage.bind(run), end = run.end.bind(run);
  run.addCoverage = file => {
    told.coverage.push(file);
    cover(file);
  };
  run.end = () => {
    told.ended = true;
    end();
  };
  return told;
}

function watchController(seen, controller) {
  const createRunProfile = controller.createRunProfile.bind(controller), createTestRun = controller.createTestRun.bind(controller);
  controller.createRunProfile = (...args) => {
    const profile = createRunProfile(...args);
    seen.profiles[profile.label] = profile;
    return profile;
  };
  controller.createTestRun = (request, ...more) => {
    const run = createTestRun(request, ...more);
    seen.runs.push(watchRun(run, request));
    return run;
  };
  seen.controllers.push(controller);
  return controller;
}

exports.watch = vscode => {
  const seen = { controllers: [], profiles: {}, runs: [], items: [], told: [] };
  const create = vscode.tests.createTestController.bind(vscode.tests);
  vscode.tests.createTestController = (...args) => watchController(seen, create(...args));
  const createItem = vscode.window.createStatusBarItem.bind(vscode.window);
  vscode.window.createStatusBarItem = (...args) => {
    const item = createItem(...args);
    seen.items.push(item);
    return item;
  };
  for (const kind of ['showErrorMessage', 'showWarningMessage', 'showInformationMessage']) {
    const show = vscode.window[kind].bind(vscode.window);
    vscode.window[kind] = (message, ...more) => {
      seen.told.push(message);
      return show(message, ...more);
    };
  }
  return seen;
};
