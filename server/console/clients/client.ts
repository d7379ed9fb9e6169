/**
 * The page of one client: what is known of it, and what an operator can do to it.
 *
 * @module
 */
import type { ListedClient } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { confirmView, isConfirmed } from "../confirm.ts";
import { PATHS } from "../layout.ts";
import { failedView } from "../failures.ts";
import type { Fields } from "../fields.ts";
import { doneNote, facts, faultNote, showTime } from "../components.ts";
import { type ConsolePage, type PageContext, seeOther, type View } from "../page_context.ts";
import { showLastUse, switchBadge } from "./list.ts";
import { CLIENT_PATH, clientPath } from "./paths.ts";
import { secretView } from "./secret.ts";
import { CLIENT_TEXTS, type ClientTexts } from "./texts.ts";

/** How long a secret stays valid unless the operator chooses otherwise, in seconds. */
const OVERLAP = "604800";

/** One client. */
export const clientPage: ConsolePage = {
  path: CLIENT_PATH,
  async get(pageContext) {
    const texts = CLIENT_TEXTS[pageContext.lang];
    const found = await findClient(pageContext, pageContext.query.get("id") ?? "");
    if ("body" in found) return found;
    const done = pageContext.query.get("done");
    return {
      title: found.name,
      body: markup`${(done === "disabled" || done === "enabled") && doneNote(texts.done[done])}
${clientFacts(found, texts)}
<section aria-labelledby="rotate">
<h2 id="rotate">${texts.rotate}</h2>
${rotateForm(found, texts)}
</section>
<section aria-labelledby="access">
<h2 id="access">${texts.access}</h2>
${switchForm(found, texts)}
</section>
<p><a href="${PATHS.clients}">${texts.back}</a></p>`,
    };
  },
  async post(pageContext, form) {
    const clientId = form.get("client_id") ?? "";
    switch (form.get("action")) {
      case "disable":
        return await switchClient(pageContext, clientId, "disable");
      case "enable":
        return await switchClient(pageContext, clientId, "enable");
      default:
        return await rotate(pageContext, clientId, form);
    }
  },
};

async function findClient(
  { operations, lang }: PageContext,
  clientId: string,
): Promise<ListedClient | View> {
  const texts = CLIENT_TEXTS[lang];
  const listed = await operations.GET("/operator/v1/clients");
  const title = texts.back;
  if (!listed.data) return failedView(listed, { lang, title });
  const client = listed.data.clients.find(({ client_id }) => client_id === clientId);
  if (client) return client;
  return {
    title,
    status: 404,
    body: markup`${faultNote(texts.unknown(clientId))}
<p><a href="${PATHS.clients}">${texts.back}</a></p>`,
  };
}

async function switchClient(
  { operations, lang }: PageContext,
  client_id: string,
  action: "disable" | "enable",
): Promise<View | Response> {
  const params = { path: { client_id } };
  const changed = action === "disable"
    ? await operations.POST("/operator/v1/clients/{client_id}/disable", { params })
    : await operations.POST("/operator/v1/clients/{client_id}/enable", { params });
  if (changed.data) return seeOther(clientPath(client_id, `${action}d`));
  const title = CLIENT_TEXTS[lang].access;
  const known = { not_found: CLIENT_TEXTS[lang].unknown(client_id) };
  return failedView(changed, { lang, title, back: PATHS.clients, known });
}

async function rotate(pageContext: PageContext, client_id: string, form: Fields): Promise<View> {
  const { operations, lang } = pageContext;
  const texts = CLIENT_TEXTS[lang];
  const overlap = form.get("overlap") ?? OVERLAP;
  const back = clientPath(client_id);
  if (overlap === "0" && !isConfirmed(form)) {
    const client = await findClient(pageContext, client_id);
    if ("body" in client) return client;
    return confirmView({
      lang,
      title: texts.endTitle(client.name),
      body: markup`<p>${texts.endBody}</p>`,
      action: CLIENT_PATH,
      fields: { action: "rotate", client_id, overlap },
      submit: texts.endSubmit,
      back,
    });
  }
  const rotated = await operations.POST("/operator/v1/clients/{client_id}/rotate", {
    params: { path: { client_id } },
    body: { overlapSeconds: Number(overlap) },
  });
  if (rotated.data) return secretView(texts.rotatedTitle, rotated.data, texts);
  const known = {
    not_found: texts.unknown(client_id),
    conflict: texts.tooManySecrets,
    internal_error: texts.maybeRotated,
  };
  return failedView(rotated, { lang, title: texts.rotate, back, known });
}

function clientFacts(client: ListedClient, texts: ClientTexts): Html {
  const { client_id, scopes, createdAt, secrets } = client;
  const ends = secrets.map(({ expiresAt }) =>
    expiresAt === null
      ? markup`<p>${texts.currentSecret}</p>`
      : markup`<p>${texts.endingSecret} ${showTime(expiresAt)}</p>`
  );
  return facts([
    [texts.state, switchBadge(client, texts)],
    [texts.id, markup`<code>${client_id}</code>`],
    [texts.scopes, scopes.length > 0 ? markup`<code>${scopes.join(" ")}</code>` : texts.noScopes],
    [texts.created, showTime(createdAt)],
    [texts.lastUsed, showLastUse(client, texts)],
    [texts.secrets, markup`${ends}`],
  ]);
}

function rotateForm({ client_id }: ListedClient, texts: ClientTexts): Html {
  const order = Object.entries(texts.overlaps).toSorted(([a], [b]) => Number(a) - Number(b));
  const options = order.map(([seconds, label]) =>
    markup`<option value="${seconds}"${seconds === OVERLAP && " selected"}>${label}</option>`
  );
  return markup`<form class="narrow" method="post" action="${CLIENT_PATH}">
<input type="hidden" name="action" value="rotate">
<input type="hidden" name="client_id" value="${client_id}">
<p class="soft">${texts.rotateHint}</p>
<div class="field">
<label for="overlap">${texts.overlap}</label>
<select id="overlap" name="overlap">
${options}
</select>
</div>
<button type="submit">${texts.rotateSubmit}</button>
</form>`;
}

function switchForm({ client_id, disabled }: ListedClient, texts: ClientTexts): Html {
  const action = disabled ? "enable" : "disable";
  const hint = disabled ? texts.enableHint : texts.disableHint;
  return markup`<form class="narrow" method="post" action="${CLIENT_PATH}">
<input type="hidden" name="action" value="${action}">
<input type="hidden" name="client_id" value="${client_id}">
<p class="soft">${hint}</p>
<button${!disabled && markup` class="danger"`} type="submit">${texts[action]}</button>
</form>`;
}
