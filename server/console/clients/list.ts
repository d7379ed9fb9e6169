/**
 * The page of the clients: who may read the statistics, and the form that adds a client.
 *
 * @module
 */
import type { ListedClient, NewClient } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { pageName, PATHS } from "../layout.ts";
import { failedView } from "../failures.ts";
import { showNumber, showTime, table } from "../components.ts";
import type { ConsolePage } from "../page_context.ts";
import { clientPath } from "./paths.ts";
import { secretView } from "./secret.ts";
import { CLIENT_TEXTS, type ClientTexts } from "./texts.ts";

/** The scope that a client can have. */
const SCOPE = "waitlist:stats:read";

/** All clients, and the form for a new one. */
export const clientsPage: ConsolePage = {
  path: PATHS.clients,
  async get({ operations, lang }) {
    const texts = CLIENT_TEXTS[lang];
    const title = pageName(lang, "clients");
    const listed = await operations.GET("/operator/v1/clients");
    if (!listed.data) return failedView(listed, { lang, title });
    const clients = listed.data.clients
      .toSorted((a, b) => a.name.localeCompare(b.name, lang));
    const head = [texts.name, texts.state, texts.scopes, texts.created, texts.lastUsed];
    const caption = texts.caption(showNumber(lang, clients.length));
    const rows = clients.map((client) => toRow(client, texts));
    return {
      title,
      body: markup`<p class="soft">${texts.about}</p>
${clients.length > 0 ? table({ caption, head, rows }) : markup`<p class="empty">${texts.none}</p>`}
<section aria-labelledby="create">
<h2 id="create">${texts.create}</h2>
${form(texts)}
</section>`,
    };
  },
  async post({ operations, lang }, fields) {
    const texts = CLIENT_TEXTS[lang];
    const body: NewClient = {
      name: fields.get("name")?.trim() ?? "",
      scopes: fields.has("stats") ? [SCOPE] : [],
    };
    const created = await operations.POST("/operator/v1/clients", { body });
    if (created.data) return secretView(texts.createdTitle, created.data, texts);
    const known = { invalid_request: texts.badName, internal_error: texts.maybeCreated };
    return failedView(created, { lang, title: texts.create, back: PATHS.clients, known });
  },
};

function toRow(client: ListedClient, texts: ClientTexts): (string | Html)[] {
  const { client_id, name, scopes, createdAt } = client;
  return [
    markup`<th scope="row"><a href="${clientPath(client_id)}">${name}</a></th>`,
    switchBadge(client, texts),
    scopes.length > 0 ? markup`<code>${scopes.join(" ")}</code>` : texts.noScopes,
    showTime(createdAt),
    showLastUse(client, texts),
  ];
}

/** Shows as a badge whether a client is enabled. */
export function switchBadge({ disabled }: ListedClient, texts: ClientTexts): Html {
  const state = disabled ? "disabled" : "enabled";
  return markup`<span class="badge ${state}">${texts[state]}</span>`;
}

/** Shows the day on which a client last got a token. */
export function showLastUse({ lastUsed }: ListedClient, texts: ClientTexts): Html | string {
  if (lastUsed === undefined) return texts.neverUsed;
  return markup`<time datetime="${lastUsed}">${lastUsed}</time>`;
}

function form(texts: ClientTexts): Html {
  return markup`<form class="narrow" method="post" action="${PATHS.clients}">
<div class="field">
<label for="name">${texts.name}</label>
<input id="name" name="name" required maxlength="100" autocomplete="off" aria-describedby="name-hint">
<p class="hint" id="name-hint">${texts.nameHint}</p>
</div>
<div class="field">
<label><input type="checkbox" name="stats" value="yes" checked aria-describedby="stats-hint">${texts.stats}</label>
<p class="hint" id="stats-hint">${texts.statsHint} <code>${SCOPE}</code></p>
</div>
<button class="primary" type="submit">${texts.create}</button>
</form>`;
}
