// Python in a worker: laycalc is unpacked once, then each message is a question and gets its answer.
import { loadPyodide } from "./pyodide/pyodide.mjs";

let answer = null;

async function start() {
  const [python, archive] = await Promise.all([
    loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href }),
    fetch("laycalc.zip").then((response) => response.arrayBuffer()),
  ]);
  const place = python.runPython("import site; site.getsitepackages()[0]");
  python.unpackArchive(archive, "zip", { extractDir: place });
  answer = python.pyimport("laycalc.playground.answers").answer_text;
}

self.onmessage = async ({ data }) => {
  if (data.settings) {
    try {
      await start();
      self.postMessage({ ready: true });
    } catch (error) {
      self.postMessage({ failed: String(error) });
    }
  } else {
    self.postMessage({ id: data.id, answer: answer(data.question) });
  }
};
