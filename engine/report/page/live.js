// A run that goes on: the document comes from the server, and again whenever the
// server says that there is news.

async function follow() {
  const get = async () => {
    const response = await fetch('document', { cache: 'no-store' });
    if (!response.ok) throw new Error(response.statusText);
    update(await response.json());
  };
  await get();
  const events = new EventSource('events');
  let busy = false, again = false;
  events.addEventListener('news', async () => {
    if (busy) { again = true; return; }
    busy = true;
    do {
      again = false;
      await get().catch(() => {});
    } while (again);
    busy = false;
  });
  events.addEventListener('end', async () => {
    events.close();
    await get().catch(() => {});
  });
  events.onerror = () => {
    if (!state.doc?.live) events.close();
    else document.body.classList.add('lost');
  };
  events.onopen = () => document.body.classList.remove('lost');
}
