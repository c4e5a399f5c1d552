// Records the extension's calls to VS Code's API: its controller, reports of
// test runs, status items and messages to the user. Forwards all calls.

/** Records the reports of a test run by kind. */
function watchRun(run, request) {
  const record = { request, started: [], passed: [], failed: [], errored: [], skipped: [], coverage: [], output: [], ended: false };
  for (const kind of ['started', 'passed', 'failed', 'errored', 'skipped']) {
    const pass = run[kind].bind(run);
    run[kind] = (item, ...more) => {
      record[kind].push({ item, messages: [more[0]].flat() });
      pass(item, ...more);
    };
  }
  const cover = run.addCoverage.bind(run), end = run.end.bind(run);
  run.addCoverage = file => {
    record.coverage.push(file);
    cover(file);
  };
  const append = run.appendOutput.bind(run);
  run.appendOutput = (text, ...more) => {
    record.output.push(text);
    append(text, ...more);
  };
  run.end = () => {
    record.ended = true;
    end();
  };
  return record;
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
  const seen = { controllers: [], profiles: {}, runs: [], items: [], messages: [] };
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
      seen.messages.push(message);
      return show(message, ...more);
    };
  }
  return seen;
};
