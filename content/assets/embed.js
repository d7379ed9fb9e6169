// @ts-check
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** For pages of other sites: gives each frame of this service the height of the page that it shows. */
(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const { origin } = new URL(script.src);
  const frames = () =>
    [...document.querySelectorAll("iframe")].filter(({ src }) => src.startsWith(`${origin}/`));

  addEventListener("message", (event) => {
    const height = event.data?.waitlistHeight;
    // A frame with `sandbox` and without `allow-same-origin` has the origin "null".
    if (![origin, "null"].includes(event.origin) || !(height > 0)) return;
    for (const frame of frames()) {
      if (frame.contentWindow === event.source) frame.style.height = `${height}px`;
    }
  });

  // A frame that was there first has told its height already.
  for (const frame of frames()) frame.contentWindow?.postMessage("waitlist-height", "*");
})();
