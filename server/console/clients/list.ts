import type * as Schemas from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { type Cell, doneNote, failedView, section, showTime, table } from "../components.ts";
import { button, checkbox, field, pathWith, postForm } from "../form_fields.ts";
import { type ConsolePage, PATHS, type View } from "../page_context.ts";

export const CLIENT_PATH = "/operator/clients/client/";

/** The address of the page about a client, which says what was `done` to it. */
export function clientPath(id: string, done?: "disabled" | "enabled" | "renamed"): string {
  return pathWith(CLIENT_PATH, { id, done });
}

/** The list, which says that a client was deleted. */
export const DELETED_PATH = `${PATHS.clients}?deleted`;

const SCOPE = "waitlist:stats:read";

export const clientsPage: ConsolePage = {
  path: PATHS.clients,
  async get({ operations, texts, query, newToken, may }) {
    const { clients: labels, words } = texts;
    const title = texts.pages.clients;
    const listed = await operations.listClients({});
    if ("failure" in listed) return failedView(listed, texts, { title });
    const clients = listed.clients
      .toSorted((a, b) => a.name.localeCompare(b.name, texts.lang));
    const head = [labels.name, words.fields.state, labels.scopes, labels.created, labels.lastUsed];
    const caption = labels.caption({ count: clients.length });
    const rows = clients.map((client) => toRow(client, texts));
    return {
      title,
      body: markup`${query.has("deleted") && doneNote(labels.deleted)}
<p class="soft">${labels.about}</p>
${clients.length > 0 ? table({ caption, head, rows }) : markup`<p class="empty">${labels.none}</p>`}
${may("createClient") && section("create", labels.create, newClientForm(texts, newToken()))}`,
    };
  },
  async post({ operations, texts }, fields) {
    const { clients: labels } = texts;
    const created = await operations.createClient({
      name: fields.get("name")?.trim() ?? "",
      scopes: fields.has("stats") ? [SCOPE] : [],
    });
    if (!("failure" in created)) return secretView(created, labels.createdTitle, texts);
    const known = { invalid_request: labels.badName, internal_error: labels.maybeCreated };
    return failedView(created, texts, { title: labels.create, back: PATHS.clients, known });
  },
};

function toRow(client: Schemas.ListedClient, texts: ConsoleTexts): Cell[] {
  return [
    { row: markup`<a href="${clientPath(client.client_id)}">${client.name}</a>` },
    switchBadge(client, texts),
    showScopes(client, texts),
    showTime(client.createdAt, texts),
    showLastUse(client, texts),
  ];
}

export function switchBadge({ disabled }: Schemas.ListedClient, { clients }: ConsoleTexts): Html {
  const state = disabled ? "disabled" : "enabled";
  return markup`<span class="badge ${state}">${clients[state]}</span>`;
}

export function showScopes({ scopes }: Schemas.ListedClient, { clients }: ConsoleTexts) {
  return scopes.length > 0 ? markup`<code>${scopes.join(" ")}</code>` : clients.noScopes;
}

/** Shows the UTC day on which a client last got a token. */
export function showLastUse({ lastUsed }: Schemas.ListedClient, texts: ConsoleTexts) {
  return lastUsed === undefined ? texts.words.never : showTime(lastUsed, texts);
}

function newClientForm({ clients: labels }: ConsoleTexts, token: string): Html {
  const nameInput = markup` required maxlength="100" autocomplete="off"`;
  const hint = markup`${labels.statsHint} <code>${SCOPE}</code>`;
  return postForm(
    { action: PATHS.clients, fields: { token }, attributes: markup` class="narrow"` },
    markup`${field("name", labels.name, nameInput, labels.nameHint)}
${checkbox({ name: "stats", label: labels.stats, checked: true, hint })}
${button(labels.create, "primary")}`,
  );
}

/** Shows the secret of a client. No other page shows the secret, and no cache keeps this one. */
export function secretView(
  issued: Schemas.IssuedClient | Schemas.RotatedClient,
  title: string,
  texts: ConsoleTexts,
): View {
  const { clients: labels } = texts;
  const { client_id, client_secret } = issued;
  const until = "oldSecretUntil" in issued ? issued.oldSecretUntil : undefined;
  return {
    title,
    copies: true,
    body: markup`<p class="warning" role="status">${labels.keep}</p>
<article class="secrets" data-copy="${labels.copy}" data-copied="${labels.copied}">
<h2>${labels.id}</h2>
<pre tabindex="0">${client_id}</pre>
<h2>${labels.secret}</h2>
<pre tabindex="0">${client_secret}</pre>
</article>
${until !== undefined && markup`<p>${labels.oldSecretUntil} ${showTime(until, texts)}.</p>`}
<p><a class="button primary" href="${clientPath(client_id)}">${labels.goOn}</a></p>`,
  };
}
