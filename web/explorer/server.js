// Questions to the server, one at a time: while one is on its way the newest waits and older ones are dropped.
//
// `answered(answer, started)` and `troubled(words, offline)` are called with what comes back; a question is asked again every two
// seconds while nobody answers.
const server = (answered, troubled) => {
  let waiting = null, busy = false, retry = 0;

  const fetchJson = async (path, body) => {
    let response;
    try {
      response = await fetch(path, body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {});
    } catch {
      throw Object.assign(new Error("The server does not answer. Is nouq serve still running? Asking again …"), { offline: true });
    }
    const content = await response.json().catch(() => null);
    if (!response.ok) throw new Error(content?.error?.message ?? `The server answers with status ${response.status}.`);
    if (!content) throw new Error("The server's answer is no JSON.");
    return content;
  };
  // With a projection also the answer before it; that one alone where the projection is refused.
  const pair = async (question) => {
    if (question.projection === "none") return { after: await fetchJson("api/predict", question), before: null };
    const [after, before] = await Promise.allSettled(
      [question, { ...question, projection: "none", truth: false }].map((body) => fetchJson("api/predict", body)));
    if (before.status === "rejected") throw before.reason;
    if (after.status === "rejected") return { after: before.value, before: null, refused: after.reason.message };
    return { after: after.value, before: before.value };
  };
  const next = async () => {
    if (busy || !waiting) return;
    const { question, started } = waiting;
    waiting = null;
    busy = true;
    try {
      const answer = await pair(question);
      troubled(answer.refused ?? "", false);
      answered(answer, started);
    } catch (error) {
      troubled(error.message, Boolean(error.offline));
      if (error.offline) {
        waiting ??= { question, started: performance.now() };
        clearTimeout(retry);
        retry = setTimeout(next, 2000);
        busy = false;
        return;
      }
    }
    busy = false;
    next();
  };
  const ask = (question) => {
    waiting = { question, started: performance.now() };
    next();
  };
  return { ask, resting: () => !busy && !waiting, models: () => fetchJson("api/models").then((content) => content.models) };
};
