// The two engines: the process that served the page, or Python in a worker of this browser.

class ProcessEngine {
  where = "this machine";

  async ask(question, signal) {
    const answer = await fetch("answer", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(question),
      signal,
    });
    if (!answer.ok) throw new Error(`the server says ${answer.status}: ${(await answer.text()).trim()}`);
    return answer.json();
  }

  async stop() {
    await fetch("stop", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
  }

  ready() {
    return Promise.resolve();
  }
}

class WorkerEngine {
  where = "this browser";
  waiting = new Map();
  count = 0;

  constructor(settings) {
    this.settings = settings;
    this.start();
  }

  start() {
    this.worker = new Worker("worker.js", { type: "module" });
    this.started = new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }) => {
        if (data.ready) resolve();
        else if (data.failed) reject(new Error(data.failed));
        else this.take(data);
      };
      this.worker.onerror = (event) => reject(new Error(event.message || "the worker does not start"));
    });
    // Whoever asks is told; until then it is nobody's error.
    this.started.catch(() => {});
    this.worker.postMessage({ settings: this.settings });
  }

  take({ id, answer }) {
    const resolve = this.waiting.get(id);
    this.waiting.delete(id);
    resolve?.(JSON.parse(answer));
  }

  ready() {
    return this.started;
  }

  async ask(question) {
    await this.started;
    return new Promise((resolve) => {
      this.count += 1;
      this.waiting.set(this.count, resolve);
      this.worker.postMessage({ id: this.count, question: JSON.stringify(question) });
    });
  }

  async stop() {
    this.worker.terminate();
    for (const resolve of this.waiting.values()) resolve({ ok: false, stopped: true });
    this.waiting.clear();
    this.start();
  }
}

export async function engine() {
  const settings = await (await fetch("engine.json")).json();
  if (settings.engine === "process") return new ProcessEngine();
  // After this visit the page needs no network; a browser that forbids that still shows it.
  navigator.serviceWorker?.register("offline.js").catch(() => {});
  return new WorkerEngine(settings);
}
