/** The list of OAuth clients, with the form for a new client. `client.ts` has the page of one client. @module */
import type { ListedClient } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { STATS_SCOPE } from "../../oauth/mod.ts";
import { type Cell, failedView, section, showTime, statusNote, table } from "../components.ts";
import { button, checkbox, field, postForm } from "../forms.ts";
import { type ConsolePage, PATHS } from "../page_context.ts";
import { TOKEN_FIELD } from "../repeated_forms.ts";
import { accessBadge, clientPath, secretView, showLastUse, showScopes } from "./client_parts.ts";
export { clientPage } from "./client.ts";
export { clientPath } from "./client_parts.ts";

export const clientsPage: ConsolePage = {
  path: PATHS.clients,
  async get({ operations, texts, query, newToken, may }) {
    const { clients: labels, words } = texts;
    const title = texts.pages.clients;
    const clientList = await operations.listClients({});
    if ("failure" in clientList) return failedView(clientList, texts, { title });
    const clients = clientList.clients
      .toSorted((a, b) => a.name.localeCompare(b.name, texts.lang));
    const head = [labels.name, words.fields.state, labels.scopes, labels.created, labels.lastUsed];
    const caption = labels.caption({ count: clients.length });
    const rows = clients.map((client) => rowOf(client, texts));
    return {
      title,
      body: markup`${query.has("deleted") && statusNote(labels.deleted)}
<p class="soft">${labels.about}</p>
${clients.length > 0 ? table({ caption, head, rows }) : markup`<p class="empty">${labels.none}</p>`}
${may("createClient") && section("create", labels.create, newClientForm(texts, newToken()))}`,
    };
  },
  async post({ operations, texts, baseUrl }, form) {
    const { clients: labels } = texts;
    const outcome = await operations.createClient({
      name: form.get("name")?.trim() ?? "",
      scopes: form.has("stats") ? [STATS_SCOPE] : [],
    });
    if (!("failure" in outcome)) {
      return secretView(outcome, {
        title: labels.createdTitle,
        scopes: outcome.scopes,
        texts,
        baseUrl,
      });
    }
    const messages = { invalid_request: labels.badName, internal_error: labels.maybeCreated };
    return failedView(outcome, texts, { title: labels.create, back: PATHS.clients, messages });
  },
};

function rowOf(client: ListedClient, texts: ConsoleTexts): Cell[] {
  return [
    { rowHeading: markup`<a href="${clientPath(client.client_id)}">${client.name}</a>` },
    accessBadge(client, texts),
    showScopes(client, texts),
    showTime(client.createdAt, texts),
    showLastUse(client, texts),
  ];
}

function newClientForm({ clients: labels }: ConsoleTexts, token: string): Html {
  const nameAttributes = markup` required maxlength="100" autocomplete="off"`;
  const hint = markup`${labels.statsHint} <code>${STATS_SCOPE}</code>`;
  return postForm(
    {
      action: PATHS.clients,
      fields: { [TOKEN_FIELD]: token },
      attributes: markup` class="narrow"`,
    },
    markup`${
      field("name", { label: labels.name, attributes: nameAttributes, hint: labels.nameHint })
    }
${checkbox("stats", { label: labels.stats, checked: true, hint })}
${button(labels.create, "primary")}`,
  );
}
