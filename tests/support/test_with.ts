/** Tests that each get something of their own: a store, a service or a folder. @module */

/**
 * Makes the function that declares tests, each of which gets what `open` opens, and the context of the test, for steps.
 * What was opened is disposed of at the end of the test.
 */
export const testWith =
  <Opened extends AsyncDisposable | Disposable>(open: () => Promise<Opened>) =>
  (name: string, act: (opened: Opened, t: Deno.TestContext) => Promise<void>): void =>
    Deno.test(name, async (t) => {
      await using opened = await open();
      await act(opened, t);
    });
