"use strict";
// Starts `laycalc lsp` and shows what its commands tell. The protocol itself is the work of vscode-languageclient.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const LANGUAGES = ["layout", "cpp", "cuda-cpp", "python", "markdown"];
const TELLS = { showPicture: "laycalc.draw", showWhy: "laycalc.why", showDerivation: "laycalc.explain", addCheck: "laycalc.insertCheck" };

let client;

function activate(context) {
  const wishes = vscode.workspace.getConfiguration("laycalc");
  const program = { command: wishes.get("command"), args: ["lsp"] };
  client = new LanguageClient("laycalc", "laycalc", { run: program, debug: program }, {
    documentSelector: LANGUAGES.map((language) => ({ language })),
    initializationOptions: { inlayHints: wishes.get("inlayHints"), pictures: wishes.get("pictures") },
    synchronize: { configurationSection: "laycalc" },
    middleware: { executeCommand: async (command, words, next) => told(command, await next(command, words)) },
  });
  for (const [name, command] of Object.entries(TELLS)) {
    context.subscriptions.push(vscode.commands.registerCommand(`laycalc.${name}`, () => ask(command)));
  }
  context.subscriptions.push(client);
  return client.start();
}

// A command about the place of the cursor.
function ask(command) {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { line, character } = editor.selection.active;
  return vscode.commands.executeCommand(command, editor.document.uri.toString(), line, character);
}

// Show the answer: a picture in a panel, a text in a document beside, a reason as a message.
async function told(command, answer) {
  if (!answer) return answer;
  if (answer.error) vscode.window.showInformationMessage(`laycalc: ${answer.error}`);
  else if (command === "laycalc.draw") panel(answer.text);
  else if (command !== "laycalc.insertCheck") {
    const document = await vscode.workspace.openTextDocument({ content: answer.text, language: "layout" });
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  }
  return answer;
}

function panel(svg) {
  const shown = vscode.window.createWebviewPanel("laycalc", "laycalc", vscode.ViewColumn.Beside, {});
  shown.webview.html = page(svg);
}

// The picture as an image: nothing in it can run, whatever its texts say.
function page(svg) {
  const data = Buffer.from(svg, "utf8").toString("base64");
  const policy = "default-src 'none'; img-src data:";
  return `<!DOCTYPE html><html><head><meta http-equiv="Content-Security-Policy" content="${policy}"></head>`
    + `<body><img alt="the layout" src="data:image/svg+xml;base64,${data}"></body></html>`;
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate, page };
