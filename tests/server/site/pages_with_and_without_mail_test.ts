import assert from "node:assert/strict";
import { createSite, type Site } from "../../../server/site/mod.ts";
import { SITE_OPTIONS } from "../../support/content.ts";

const [on, off] = await Promise.all([
  createSite({ ...SITE_OPTIONS, sendsLetters: true }),
  createSite(SITE_OPTIONS),
]);

async function read({ routes }: Site, path: string, accept = "text/html"): Promise<string> {
  const response = await routes.request(path, { headers: { Accept: accept } });
  return (await response.text()).replace(/\s+/g, " ");
}

const PAGES = [
  {
    home: "/",
    thanks: "/thanks/",
    privacy: "/privacy/",
    place: "/place/",
    letter: "is new to us, a link to confirm it is on its way.",
    known: "We will write to you as soon as there is a place for you",
    echoes: "We will write to",
    expires: "is erased 14 days after the last e‑mail that asked for it",
    sent: "/place/sent/",
    limits:
      "at most once a day, and no more than three times in 30 days until the address is confirmed",
    writeTo: "To get the link to your page, write to",
    left: "/place/left/",
    tomorrow: 'From tomorrow on, you can <a href="/place/">ask for a new link</a>',
  },
  {
    home: "/de/",
    thanks: "/de/danke/",
    privacy: "/de/datenschutz/",
    place: "/de/platz/",
    letter: "neu bei uns, ist ein Link zum Bestätigen schon unterwegs.",
    known: "Wir schreiben Ihnen, sobald ein Platz für Sie frei ist",
    echoes: "Wir schreiben an",
    expires: "wird 14 Tage nach der letzten E‑Mail mit der Bitte darum gelöscht",
    sent: "/de/platz/gesendet/",
    limits:
      "höchstens einmal am Tag und, solange die Adresse nicht bestätigt ist, höchstens dreimal in 30 Tagen",
    writeTo: "wenn Sie von der angemeldeten Adresse aus an",
    left: "/de/platz/verlassen/",
    tomorrow: 'Ab morgen können Sie <a href="/de/platz/">einen neuen Link anfordern</a>',
  },
];

for (const { home, thanks, privacy, letter, known, echoes, expires, place, ...more } of PAGES) {
  Deno.test(`Pages announce a letter with a link only when MAIL_URL is set (home page: ${home})`, async () => {
    const [form = ""] = /<div class="done".*?<\/div>/s.exec(await read(on, home)) ?? [];
    assert(form.includes(letter));
    assert(form.includes(`<a href="${place}">`), "Markdown");
    assert(form.includes('<strong class="given"></strong>'), "the script names the address there");
    assert(!form.includes(echoes));
    const thanked = await read(on, thanks);
    assert(thanked.includes(letter));
    assert(thanked.includes(`<form class="place" method="post" action="${place}">`));
    assert(!(await read(off, thanks)).includes("<form"));
    assert((await read(on, thanks, "text/markdown")).includes(letter));

    const [without = ""] = /<div class="done".*?<\/div>/s.exec(await read(off, home)) ?? [];
    assert(without.includes(`${echoes} <strong class="given"></strong>`));
    assert((await read(off, thanks)).includes(known));
    assert(!(await read(off, thanks)).includes(letter));
  });

  Deno.test(`createSite() mentions no letters in its pages when MAIL_URL is not set (${home})`, async (t) => {
    const { sent, limits, writeTo, left, tomorrow } = more;
    assert((await read(on, left)).includes(tomorrow), "the letter limit outlives leaving");
    assert(!(await read(off, left)).includes(tomorrow));
    for (const path of [home, thanks, sent]) {
      await t.step(path, async () => {
        assert.doesNotMatch(await read(on, path), /before we announce/);
      });
    }
    for (const path of [home, thanks]) {
      await t.step(path, async () => {
        assert.doesNotMatch(await read(on, path), /One step to go|Nur noch ein Schritt/);
      });
    }
    assert((await read(on, sent)).includes(limits), "as the letter limits are");
    assert(!(await read(off, sent)).includes(limits));
    assert((await read(off, sent)).includes(writeTo));
  });

  Deno.test(`createSite() says on the privacy page after how many days unconfirmed addresses are erased (${privacy})`, async () => {
    assert((await read(on, privacy)).includes(expires));
    assert(!(await read(off, privacy)).includes(expires));
  });

  Deno.test(`createSite() links to the self-service page from every page (${home})`, async (t) => {
    for (const path of [home, thanks, privacy]) {
      await t.step(path, async () => {
        for (const site of [on, off]) {
          assert((await read(site, path)).includes(`href="${place}"`));
        }
      });
    }
  });
}

Deno.test("createSite() leaves no template condition, placeholder or comment in any page, with and without MAIL_URL", async (t) => {
  for (const site of [on, off]) {
    for (const { path } of site.pages) {
      await t.step(`${path}, ${site === on ? "with" : "without"} mail`, async () => {
        for (const accept of ["text/html", "text/markdown"]) {
          assert.doesNotMatch(await read(site, path, accept), /\{\{|%7B%7B|<!--|<slot/);
        }
      });
    }
  }
});

Deno.test("createSite() says on the privacy page which campaign parameters are kept, and for how long", async () => {
  for (
    const [path, howLong] of [
      ["/privacy/", "kept as long as your entry"],
      ["/de/datenschutz/", "gespeichert so lange wie Ihr Eintrag"],
    ] as const
  ) {
    const page = await read(off, path);
    for (const name of ["utm_source", "utm_medium", "utm_campaign"]) {
      assert(page.includes(`<code>${name}</code>`), `${path} ${name}`);
    }
    assert(page.includes(howLong), path);
  }
});

Deno.test("createSite() says on the privacy page for how long backups are kept when BACKUP_URL is set", async (t) => {
  const backedUp = await createSite({ ...SITE_OPTIONS, backupDays: 30 });
  const pages = [
    ["/privacy/", "We make a backup each day, and delete it after 30 days."],
    ["/de/datenschutz/", "jeden Tag eine Sicherungskopie und bewahren sie 30 Tage auf."],
  ] as const;
  for (const [path, sentence] of pages) {
    await t.step(path, async () => {
      assert((await read(backedUp, path)).includes(sentence));
      assert(!(await read(off, path)).includes(sentence));
    });
  }
});
