/**
 * The texts of the pages about clients.
 *
 * @module
 */

/** The texts in each language. */
export const CLIENT_TEXTS = {
  en: {
    about:
      "A client is a program that reads the statistics of this waitlist with a secret of its own.",
    none: "There is no client yet. Create the first one below.",
    caption: (count: string) => `Clients: ${count}`,
    name: "Name",
    id: "Client ID",
    scopes: "Scopes",
    noScopes: "None",
    created: "Created",
    lastUsed: "Last used",
    neverUsed: "Never",
    state: "State",
    enabled: "Enabled",
    disabled: "Disabled",
    secrets: "Secrets",
    currentSecret: "One secret without an end",
    endingSecret: "One secret, valid until",
    create: "Create a client",
    nameHint: "How you call the program, such as Dashboard; up to 100 characters.",
    badName: "A client needs a name of 1 to 100 characters. Go back, and give it one.",
    maybeCreated:
      "The service cannot tell whether the client was created. Look at the list in a minute: disable a client " +
      "whose secret nobody has, and create another.",
    stats: "May read the statistics",
    statsHint: "Counts only, never people.",
    unknown: (id: string) => `There is no client '${id}'.`,
    back: "All clients",
    rotate: "Replace the secret",
    rotateHint:
      "The client gets a new secret, which is shown once. The present one stays valid for the time " +
      "that you choose, so that nothing stops while you replace it.",
    overlap: "The present secret stays valid",
    overlaps: {
      "604800": "for 7 more days",
      "86400": "for 1 more day",
      "3600": "for 1 more hour",
      "2592000": "for 30 more days",
      "0": "no longer",
    },
    rotateSubmit: "Make a new secret",
    tooManySecrets:
      "The client has as many valid secrets as it can have. Wait until one of them ends, or " +
      "choose that the present secret stays valid “no longer”, which ends them all.",
    maybeRotated:
      "The service cannot tell whether the secret was replaced. The new secret of this try is lost in either " +
      "case: make another in a minute.",
    endTitle: (name: string) => `End all secrets of ‘${name}’ now?`,
    endBody:
      "The client gets a new secret. All secrets that it has now end at once: programs that still use " +
      "one of them get no token until they know the new one.",
    endSubmit: "End them and make a new one",
    access: "Access",
    disableHint:
      "A disabled client gets no new token. Tokens that it has end within 15 minutes. You can enable " +
      "it again at any time.",
    disable: "Disable",
    enableHint: "This client is disabled and gets no tokens.",
    enable: "Enable",
    done: {
      disabled: "The client is disabled. Tokens that it has end within 15 minutes.",
      enabled: "The client is enabled and gets tokens again.",
    },
    createdTitle: "The client is created",
    rotatedTitle: "The client has a new secret",
    keep: "Keep the secret now: it is shown only this once.",
    secret: "Client secret",
    oldSecretUntil: "The old secret is valid until",
    copy: "Copy",
    copied: "Copied",
    goOn: "I have kept the secret",
  },
  de: {
    about:
      "Ein Client ist ein Programm, das mit einem eigenen Secret die Statistik dieser Warteliste liest.",
    none: "Es gibt noch keinen Client. Legen Sie unten den ersten an.",
    caption: (count: string) => `Clients: ${count}`,
    name: "Name",
    id: "Client-ID",
    scopes: "Scopes",
    noScopes: "Keine",
    created: "Angelegt",
    lastUsed: "Zuletzt benutzt",
    neverUsed: "Nie",
    state: "Status",
    enabled: "Aktiv",
    disabled: "Gesperrt",
    secrets: "Secrets",
    currentSecret: "Ein Secret ohne Ablauf",
    endingSecret: "Ein Secret, gültig bis",
    create: "Client anlegen",
    nameHint: "So nennen Sie das Programm, zum Beispiel Dashboard; höchstens 100 Zeichen.",
    badName:
      "Ein Client braucht einen Namen mit 1 bis 100 Zeichen. Gehen Sie zurück und geben Sie einen an.",
    maybeCreated:
      "Der Dienst kann nicht sagen, ob der Client angelegt wurde. Sehen Sie in einer Minute in der Liste nach: " +
      "Sperren Sie einen Client, dessen Secret niemand hat, und legen Sie einen neuen an.",
    stats: "Darf die Statistik lesen",
    statsHint: "Nur Zahlen, niemals Personen.",
    unknown: (id: string) => `Es gibt keinen Client „${id}“.`,
    back: "Alle Clients",
    rotate: "Secret ersetzen",
    rotateHint:
      "Der Client bekommt ein neues Secret, das nur einmal angezeigt wird. Das bisherige bleibt so " +
      "lange gültig, wie Sie wählen; so fällt nichts aus, während Sie es ersetzen.",
    overlap: "Das bisherige Secret bleibt gültig",
    overlaps: {
      "604800": "noch 7 Tage",
      "86400": "noch 1 Tag",
      "3600": "noch 1 Stunde",
      "2592000": "noch 30 Tage",
      "0": "nicht länger",
    },
    rotateSubmit: "Neues Secret erzeugen",
    tooManySecrets:
      "Der Client hat schon so viele gültige Secrets, wie er haben kann. Warten Sie, bis eines " +
      "abläuft, oder wählen Sie, dass das bisherige „nicht länger“ gilt: Dann enden alle.",
    maybeRotated:
      "Der Dienst kann nicht sagen, ob das Secret ersetzt wurde. Das neue Secret dieses Versuchs ist in jedem " +
      "Fall verloren: Erzeugen Sie in einer Minute noch einmal ein neues.",
    endTitle: (name: string) => `Alle Secrets von „${name}“ sofort ungültig machen?`,
    endBody:
      "Der Client bekommt ein neues Secret. Alle bisherigen werden sofort ungültig: Programme, die noch eines " +
      "davon benutzen, bekommen kein Token mehr, bis sie das neue kennen.",
    endSubmit: "Ungültig machen und neues erzeugen",
    access: "Zugang",
    disableHint:
      "Ein gesperrter Client bekommt keine neuen Tokens. Vorhandene Tokens laufen innerhalb " +
      "von 15 Minuten ab. Sie können ihn jederzeit wieder freigeben.",
    disable: "Sperren",
    enableHint: "Dieser Client ist gesperrt und bekommt keine Tokens.",
    enable: "Freigeben",
    done: {
      disabled: "Der Client ist gesperrt. Vorhandene Tokens laufen innerhalb von 15 Minuten ab.",
      enabled: "Der Client ist freigegeben und bekommt wieder Tokens.",
    },
    createdTitle: "Der Client ist angelegt",
    rotatedTitle: "Der Client hat ein neues Secret",
    keep: "Bewahren Sie das Secret jetzt auf: Es wird nur dieses eine Mal angezeigt.",
    secret: "Client-Secret",
    oldSecretUntil: "Das alte Secret gilt bis",
    copy: "Kopieren",
    copied: "Kopiert",
    goOn: "Ich habe das Secret aufbewahrt",
  },
} as const;

/** The texts of one language. */
export type ClientTexts = typeof CLIENT_TEXTS["en" | "de"];
