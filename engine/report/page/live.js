// A run that goes on: the document comes from the server, and again whenever the
// server says that there is news.

async function follow() {
  const get = async () => {
    const response = await fetch('document', { cache: 'no-store' });
    if (!response.ok) throw new Error(response.statusText);
    update(await response.json());
  };
  await get();
  state.followed = true;
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
  events.addEventListener('end', async () => { // the server waits for the page to leave
    await get().catch(() => {});
    events.close();
  });
  events.onerror = () => {
    if (state.doc.live) showLink(true);
    else events.close();
  };
  events.onopen = () => showLink(false);
}
