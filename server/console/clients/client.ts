/** The page of one OAuth client: its facts, and the forms that change or delete it or make a new secret. @module */
import type { ListedClient } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup, select } from "../../content/mod.ts";
import {
  facts,
  failedView,
  faultNote,
  section,
  showTime,
  statusNote,
  unknownActionView,
} from "../components.ts";
import {
  button,
  confirmView,
  field,
  type FieldValues,
  isConfirmed,
  knownValue,
  postForm,
  type SentFields,
} from "../forms.ts";
import { type ConsolePage, type PageContext, PATHS, seeOther, type View } from "../page_context.ts";
import { TOKEN_FIELD } from "../repeated_forms.ts";
import {
  accessBadge,
  CLIENT_PATH,
  clientPath,
  secretView,
  showLastUse,
  showScopes,
} from "./client_parts.ts";

/**
 * For how many seconds the old secrets stay valid, unless the operator chooses another time: a week. This text
 * and `NO_OVERLAP` are values of the form field `overlap`.
 */
const DEFAULT_OVERLAP_SECONDS = "604800";

/** With this value, the old secrets end at once. */
const NO_OVERLAP = "0";

const NARROW = markup` class="narrow"`;

/** The actions of the page, as the field `action` of a form names them. `rotate` makes a new secret. */
const ACTIONS = ["rotate", "disable", "enable", "rename", "delete"] as const;

/** An action that changes or deletes the client, but makes no secret. */
type Change = Exclude<typeof ACTIONS[number], "rotate">;

/** What the page reports after a change, as the query parameter `done`. A deleted client has no page. */
const DONE_BY_CHANGE = { disable: "disabled", enable: "enabled", rename: "renamed" } as const;

export const clientPage: ConsolePage = {
  path: CLIENT_PATH,
  async get(pageContext) {
    const { texts, query, newToken, may } = pageContext;
    const { clients: labels } = texts;
    const client = await findClient(pageContext, query.get("id") ?? "");
    if ("body" in client) return client;
    const done = query.get("done");
    // The note about the access is shown only if it fits the client's present access, because another operator may have
    // changed the access meanwhile.
    const access = client.disabled ? "disabled" : "enabled";
    const note = (done === access || done === "renamed") && statusNote(labels.done[done]);
    const otherAccess = client.disabled ? "enable" : "disable";
    const name = markup` required maxlength="100" autocomplete="off" value="${client.name}"`;
    const renaming = changeForm(
      client,
      "rename",
      markup`${field("name", { label: labels.name, attributes: name })}
${button(labels.renameSubmit)}`,
    );
    const rotation = rotateForm(client, texts, newToken());
    const accessChange = hintedChangeForm(client, otherAccess, texts);
    const deletion = hintedChangeForm(client, "delete", texts);
    return {
      title: client.name,
      body: markup`<p><a href="${PATHS.clients}">${labels.back}</a></p>
${note}
<section>${factsOf(client, texts)}</section>
<div class="columns">
${may("rotateClient") && section("rotate", labels.rotate, rotation)}
${may("renameClient") && section("rename", labels.rename, renaming)}
${may(`${otherAccess}Client`) && section("access", labels.access, accessChange)}
${may("deleteClient") && section("delete", labels.deleteSubmit, deletion)}
</div>`,
    };
  },
  async post(pageContext, form) {
    const { texts } = pageContext;
    const clientId = form.get("client_id") ?? "";
    const action = knownValue(ACTIONS, form.get("action"));
    if (!action) {
      const title = texts.clients.access;
      return unknownActionView(texts, { title, back: PATHS.clients, actions: ACTIONS });
    }
    if (action === "rotate") return await rotateSecret(pageContext, clientId, form);
    if (action === "delete" && !isConfirmed(form)) {
      const fields = { action, client_id: clientId };
      return await askToConfirm(pageContext, "delete", fields);
    }
    return await changeClient(pageContext, action, form);
  },
};

/** Finds a client, or returns the page that says why the client cannot be shown. */
async function findClient(
  { operations, texts }: PageContext,
  id: string,
): Promise<ListedClient | View> {
  const { back: title, unknown } = texts.clients;
  const listed = await operations.listClients({});
  if ("failure" in listed) return failedView(listed, texts, { title });
  return listed.clients.find(({ client_id }) => client_id === id) ?? {
    title,
    status: 404,
    body: markup`${faultNote(unknown({ id }))}
<p><a href="${PATHS.clients}">${title}</a></p>`,
  };
}

function factsOf(client: ListedClient, texts: ConsoleTexts): Html {
  const { clients: labels, words } = texts;
  const secrets = client.secrets.map(({ expiresAt }) =>
    expiresAt === null
      ? markup`<p>${labels.currentSecret}</p>`
      : markup`<p>${labels.endingSecret} ${showTime(expiresAt, texts)}</p>`
  );
  return facts([
    [words.fields.state, accessBadge(client, texts)],
    [labels.id, markup`<code>${client.client_id}</code>`],
    [labels.scopes, showScopes(client, texts)],
    [labels.created, showTime(client.createdAt, texts)],
    [labels.lastUsed, showLastUse(client, texts)],
    [labels.secrets, markup`${secrets}`],
  ]);
}

function changeForm({ client_id }: ListedClient, action: Change, content: Html): Html {
  const fields = { action, client_id };
  return postForm({ action: CLIENT_PATH, fields, attributes: NARROW }, content);
}

/** A form that makes a change with one button, below a sentence that says what the button does. */
function hintedChangeForm(
  client: ListedClient,
  change: Exclude<Change, "rename">,
  { clients: labels }: ConsoleTexts,
): Html {
  return changeForm(
    client,
    change,
    markup`<p class="soft">${labels[`${change}Hint`]}</p>
${button(labels[change], change === "delete" ? "danger" : undefined)}`,
  );
}

function rotateForm({ client_id }: ListedClient, { clients: labels }: ConsoleTexts, token: string) {
  const fields = { action: "rotate", client_id, token };
  // The keys are numbers of seconds. JavaScript lists such keys in ascending order, so the shortest time comes first.
  const overlaps = Object.entries(labels.overlaps);
  return postForm(
    { action: CLIENT_PATH, fields, attributes: NARROW },
    markup`<p class="soft">${labels.rotateHint}</p>
${select({ name: "overlap", label: labels.overlap, chosen: DEFAULT_OVERLAP_SECONDS }, overlaps)}
${button(labels.rotateSubmit)}`,
  );
}

/** Changes or deletes the client, and then shows the changed client or the list of clients. */
async function changeClient(
  { operations, texts }: PageContext,
  change: Change,
  form: SentFields,
): Promise<View | Response> {
  const id = form.get("client_id") ?? "";
  const changed = change === "rename"
    ? await operations.renameClient({ client_id: id, name: form.get("name")?.trim() ?? "" })
    : await operations[`${change}Client`]({ client_id: id });
  if (!("failure" in changed)) {
    return seeOther(
      change === "delete" ? `${PATHS.clients}?deleted` : clientPath(id, DONE_BY_CHANGE[change]),
    );
  }
  const { access: title, unknown, badName } = texts.clients;
  const messages = { not_found: unknown({ id }), invalid_request: badName };
  return failedView(changed, texts, { title, back: PATHS.clients, messages });
}

/**
 * Makes a new secret, and shows it. The old secrets stay valid for the time that the form names. If they would end at
 * once, the console asks for confirmation first.
 */
async function rotateSecret(
  pageContext: PageContext,
  id: string,
  form: SentFields,
): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const { clients: labels } = texts;
  const overlap = form.get("overlap") ?? DEFAULT_OVERLAP_SECONDS;
  if (overlap === NO_OVERLAP && !isConfirmed(form)) {
    const fields = {
      action: "rotate",
      client_id: id,
      overlap,
      [TOKEN_FIELD]: form.get(TOKEN_FIELD),
    };
    return await askToConfirm(pageContext, "end", fields);
  }
  const rotated = await operations.rotateClient({
    client_id: id,
    overlapSeconds: Number(overlap),
  });
  if (!("failure" in rotated)) return secretView(rotated, { title: labels.rotatedTitle, texts });
  const messages = {
    not_found: labels.unknown({ id }),
    conflict: labels.tooManySecrets,
    internal_error: labels.maybeRotated,
  };
  return failedView(rotated, texts, { title: labels.rotate, back: clientPath(id), messages });
}

/**
 * Shows the page that asks for confirmation before a client is deleted (`delete`), or before its old secrets end at
 * once (`end`).
 */
async function askToConfirm(
  pageContext: PageContext,
  change: "delete" | "end",
  fields: FieldValues & { client_id: string },
): Promise<View> {
  const { texts: { clients: labels, words } } = pageContext;
  const client = await findClient(pageContext, fields.client_id);
  if ("body" in client) return client;
  const back = clientPath(fields.client_id);
  return confirmView({
    title: labels[`${change}Title`]({ name: client.name }),
    body: markup`<p>${labels[`${change}Body`]}</p>`,
    action: CLIENT_PATH,
    fields,
    submit: labels[`${change}Submit`],
    cancel: markup`<a class="button" href="${back}">${words.back}</a>`,
    cannotUndo: words.cannotUndo,
  });
}
