/** The script of the API's page: search, the page's own origin in commands, and the operation that the address names. */

const $ = <Kind extends Element = HTMLElement>(selector: string) => document.querySelector<Kind>(selector);

const search = $<HTMLInputElement>("#search");
const operations = [...document.querySelectorAll<HTMLDetailsElement>("section > details")];
const texts = new Map(operations.map((one) => [one, `${one.id} ${one.textContent}`.toLowerCase()]));

/** Shows the operations whose text has every word. */
function filter(query: string): void {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const one of operations) {
    one.hidden = !words.every((word) => texts.get(one)?.includes(word));
    if (!one.hidden) found += 1;
  }
  for (const section of document.querySelectorAll<HTMLElement>("section"))
    section.hidden = section.querySelector("details:not([hidden]):not(.reply)") === null;
  const status = $("#found");
  if (status !== null)
    status.textContent = words.length === 0 ? "" : `${found} of ${operations.length} operations`;
}

function openNamed(): void {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (named instanceof HTMLDetailsElement) {
    named.open = true;
    named.scrollIntoView({ behavior: "instant" });
  }
}

if (search !== null) {
  search.form?.addEventListener("submit", (event) => event.preventDefault());
  if (search.form !== null) search.form.hidden = false;
  search.addEventListener("input", () => filter(search.value));
  filter(search.value);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    search.focus();
  });
}
// Who opens an operation can copy its address.
for (const one of operations)
  one.addEventListener("toggle", () => {
    if (one.open) history.replaceState(null, "", `#${one.id}`);
  });
const example = $("header pre code");
if (example !== null)
  example.textContent = (example.textContent ?? "").replace("https://berth.example", location.origin);
addEventListener("hashchange", openNamed);
openNamed();
