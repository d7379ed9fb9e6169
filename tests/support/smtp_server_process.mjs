/**
 * A mail server that misbehaves as it is told. It runs on Node, so that sending is not tried on one runtime's sockets
 * alone. Lines of JSON on standard input change its behaviour, and lines on standard output tell what it has done; it
 * ends with its standard input. `smtp_server.ts` starts it. @module
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { SMTPServer } from "smtp-server";

const { tls, login, certificate, key, port = 0 } = JSON.parse(process.argv[2]);
let behaviour = {};

const tell = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);

/** Answers at a stage as the behaviour says; returns whether the session goes on. */
function answer(stage, session, callback, address) {
  tell({ event: "reached", stage });
  const { refuse, silentAt, cutAt } = behaviour;
  if (silentAt === stage) return false;
  if (cutAt === stage) {
    socketOf(session)?.destroy();
    return false;
  }
  if (refuse?.at === stage && (refuse.only === undefined || refuse.only === address)) {
    const error = new Error(refuse.text ?? "Refused as told");
    error.responseCode = refuse.code;
    callback(error);
    return false;
  }
  return true;
}

function socketOf({ id }) {
  return [...server.connections].find((connection) => connection.id === id)?._socket;
}

const server = new SMTPServer({
  name: "mail.test",
  secure: tls === "from_start",
  key: readFileSync(key),
  cert: readFileSync(certificate),
  disabledCommands: [...tls === "starttls" ? [] : ["STARTTLS"], ...login ? [] : ["AUTH"]],
  allowInsecureAuth: true,
  disableReverseLookup: true,
  logger: false,
  onConnect(session, callback) {
    if (answer("connection", session, callback)) callback();
  },
  onAuth({ username, password }, session, callback) {
    if (!answer("login", session, callback)) return;
    const isRight = username === login.user && password === login.password;
    callback(isRight ? null : new Error("Invalid username or password"), { user: username });
  },
  onMailFrom({ address }, session, callback) {
    if (answer("sender", session, callback, address)) callback();
  },
  onRcptTo({ address }, session, callback) {
    if (answer("recipient", session, callback, address)) callback();
  },
  onData(stream, session, callback) {
    const chunks = [];
    stream.on("data", (chunk) => chunks.push(chunk));
    stream.on("end", () => {
      if (!answer("letter", session, callback)) return;
      const take = () => {
        const { mailFrom, rcptTo } = session.envelope;
        const to = rcptTo.map(({ address }) => address);
        const raw = Buffer.concat(chunks).toString("base64");
        tell({ event: "letter", from: mailFrom.address, to, raw, secure: session.secure });
        callback();
      };
      if (behaviour.delayMs) setTimeout(take, behaviour.delayMs);
      else take();
    });
  },
});

server.on("error", ({ message }) => tell({ event: "error", message }));

server.server.on("connection", (socket) => {
  socket.on("data", (data) => {
    if (behaviour.cutAt === "starttls" && /^STARTTLS/i.test(data)) socket.destroy();
  });
});

createInterface({ input: process.stdin })
  .on("line", (line) => {
    behaviour = JSON.parse(line);
    if (behaviour.cutAt === "now") {
      for (const { _socket } of server.connections) _socket.destroy();
    }
    tell({ event: "configured" });
  })
  .on("close", () => process.exit());

const listening = server.listen(port, "127.0.0.1", () => {
  tell({ event: "listening", port: listening.address().port });
});
