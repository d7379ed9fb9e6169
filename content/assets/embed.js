// @ts-check
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * For pages of other sites: sets the height of each frame of this service, and passes the referral code and the campaign
 * in the page's URL on to the form in the frame. A frame whose `sandbox` allows no scripts gets neither.
 */
(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const { origin } = new URL(script.src);
  const frames = () =>
    [...document.querySelectorAll("iframe")].filter(({ src }) => src.startsWith(`${origin}/`));

  const query = new URLSearchParams(location.search);
  // A parameter that the URL has twice is not passed on, because the service would ignore it.
  const parameters = ["r", "utm_source", "utm_medium", "utm_campaign"]
    .filter((name) => query.getAll(name).length === 1)
    .map((name) => [name, query.get(name)]);

  addEventListener("message", (event) => {
    const height = event.data?.waitlistHeight;
    // A frame with `sandbox` but without `allow-same-origin` has the origin "null".
    if (![origin, "null"].includes(event.origin) || !(height > 0)) return;
    for (const frame of frames()) {
      if (frame.contentWindow !== event.source) continue;
      frame.style.height = `${height}px`;
      // Answers the frame's message, because its script runs only then. The parameters cannot be added to the URL
      // of the frame instead: browsers lose such a change if the frame is about to show its first page.
      frame.contentWindow?.postMessage({ waitlistParameters: parameters }, "*");
    }
  });

  for (const frame of frames()) {
    // A frame that was loaded before this script sends its height once more.
    frame.contentWindow?.postMessage("waitlist-height", "*");
  }
})();
