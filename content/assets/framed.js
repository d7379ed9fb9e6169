// @ts-check
/// <reference lib="dom" />
/** Tells the page around the frame how high this page is, so that `/embed.js` there can fit the frame to it. */

// Only listed sites can show this page in a frame, and its height is no secret, so that any origin may hear it.
const tell = () => {
  const { height } = document.body.getBoundingClientRect();
  parent.postMessage({ waitlistHeight: Math.ceil(height) }, "*");
};

if (parent !== window) {
  new ResizeObserver(tell).observe(document.body);
  // The other script may start later than this one.
  addEventListener("message", ({ source, data }) => {
    if (source === parent && data === "waitlist-height") tell();
  });
}
