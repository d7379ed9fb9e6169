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

/** The actions of the page, as the field `action` of a form names them. `rotate` makes a new secret for the client. */
const ACTIONS = ["rotate", "disable", "enable", "rename", "delete"] as const;

/** An action that makes no secret: it changes or deletes the client. */
type Change = Exclude<typeof ACTIONS[number], "rotate">;

/** The query parameter `done`, which tells the page what was changed. A deleted client has no page. */
const DONE_BY_CHANGE = { disable: "disabled", enable: "enabled", rename: "renamed" } as const;

export const clientPage: ConsolePage = {
  path: CLIENT_PATH,
  async get(pageContext) {
    const { texts, query, newToken, may } = pageContext;
    const { clients: labels } = texts;
    const client = await findClient(pageContext, query.get("id") ?? "");
    if ("body" in client) return client;
    const accessChange = client.disabled ? "enable" : "disable";
    const secretForm = newSecretForm(client, texts, newToken());
    const accessForm = hintedChangeForm(client, accessChange, texts);
    const deleteForm = hintedChangeForm(client, "delete", texts);
    return {
      title: client.name,
      body: markup`<p><a href="${PATHS.clients}">${labels.back}</a></p>
${noteAfterChange(client, query, texts)}
<section>${factsOf(client, texts)}</section>
<div class="columns">
${may("rotateClient") && section("rotate", labels.rotate, secretForm)}
${may("renameClient") && section("rename", labels.rename, renameForm(client, texts))}
${may(`${accessChange}Client`) && section("access", labels.access, accessForm)}
${may("deleteClient") && section("delete", labels.deleteSubmit, deleteForm)}
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
    if (action === "rotate") return await makeSecret(pageContext, clientId, form);
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
  const clientList = await operations.listClients({});
  if ("failure" in clientList) return failedView(clientList, texts, { title });
  return clientList.clients.find(({ client_id }) => client_id === id) ?? {
    title,
    status: 404,
    body: markup`${faultNote(unknown({ id }))}
<p><a href="${PATHS.clients}">${title}</a></p>`,
  };
}

/**
 * Says what was changed, if a change has just led to the page. The note about the access is shown only if it fits the
 * client's present access, because another operator may have changed the access meanwhile.
 */
function noteAfterChange(
  client: ListedClient,
  query: URLSearchParams,
  { clients: labels }: ConsoleTexts,
): Html | false {
  const done = query.get("done");
  const presentAccess = client.disabled ? "disabled" : "enabled";
  return (done === presentAccess || done === "renamed") && statusNote(labels.done[done]);
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

/** A form that makes a change. @param content the visible fields and the button of the form */
function changeForm({ client_id }: ListedClient, change: Change, content: Html): Html {
  const fields = { action: change, client_id };
  return postForm({ action: CLIENT_PATH, fields, attributes: NARROW }, content);
}

/** The form for a new name of the client. */
function renameForm(client: ListedClient, { clients: labels }: ConsoleTexts): Html {
  const attributes = markup` required maxlength="100" autocomplete="off" value="${client.name}"`;
  return changeForm(
    client,
    "rename",
    markup`${field("name", { label: labels.name, attributes })}
${button(labels.renameSubmit)}`,
  );
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

/** The form that makes a new secret. The operator chooses for how long the old secrets stay valid. */
function newSecretForm(
  { client_id }: ListedClient,
  { clients: labels }: ConsoleTexts,
  token: string,
): Html {
  const fields = { action: "rotate", client_id, [TOKEN_FIELD]: token };
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
  const outcome = change === "rename"
    ? await operations.renameClient({ client_id: id, name: form.get("name")?.trim() ?? "" })
    : await operations[`${change}Client`]({ client_id: id });
  if (!("failure" in outcome)) {
    return seeOther(
      change === "delete" ? `${PATHS.clients}?deleted` : clientPath(id, DONE_BY_CHANGE[change]),
    );
  }
  const { access: title, unknown, badName } = texts.clients;
  const messages = { not_found: unknown({ id }), invalid_request: badName };
  return failedView(outcome, texts, { title, back: PATHS.clients, messages });
}

/**
 * Makes a new secret, and shows this secret. The old secrets stay valid for the time that the form names. If the old
 * secrets would end at once, the console asks for confirmation first.
 */
async function makeSecret(
  pageContext: PageContext,
  id: string,
  form: SentFields,
): Promise<View | Response> {
  const { operations, texts, baseUrl } = pageContext;
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
  const client = await findClient(pageContext, id);
  if ("body" in client) return client;
  const outcome = await operations.rotateClient({
    client_id: id,
    overlapSeconds: Number(overlap),
  });
  if (!("failure" in outcome)) {
    return secretView(outcome, {
      title: labels.rotatedTitle,
      scopes: client.scopes,
      texts,
      baseUrl,
    });
  }
  const messages = {
    not_found: labels.unknown({ id }),
    conflict: labels.tooManySecrets,
    internal_error: labels.maybeRotated,
  };
  return failedView(outcome, texts, { title: labels.rotate, back: clientPath(id), messages });
}

/**
 * Shows the page that asks for confirmation.
 * @param question `delete` before the client is deleted, or `end` before its old secrets end at once
 */
async function askToConfirm(
  pageContext: PageContext,
  question: "delete" | "end",
  fields: FieldValues & { client_id: string },
): Promise<View> {
  const { texts: { clients: labels, words } } = pageContext;
  const client = await findClient(pageContext, fields.client_id);
  if ("body" in client) return client;
  const back = clientPath(fields.client_id);
  return confirmView({
    title: labels[`${question}Title`]({ name: client.name }),
    body: markup`<p>${labels[`${question}Body`]}</p>`,
    action: CLIENT_PATH,
    fields,
    submit: labels[`${question}Submit`],
    cancel: markup`<a class="button" href="${back}">${words.back}</a>`,
    cannotUndo: words.cannotUndo,
  });
}
