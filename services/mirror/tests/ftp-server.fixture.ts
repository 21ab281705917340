import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A file of the server. */
export interface FtpServerFile {
  content: Buffer;
  /** As MDTM returns it. */
  changed: string;
}

/** How the server misbehaves. */
export interface FtpFaults {
  /** Replies instead of those of these commands; the empty one is the greeting. */
  replies: Record<string, string>;
  /** How many bytes of a file it sends before it ends the data, with the reply that a transfer is complete. */
  cutAt?: number;
  /** Whether it never ends a transfer. */
  isStuck?: boolean;
}

/** An FTP server in passive mode whose files and faults a test defines. */
export interface FtpServer {
  readonly files: Map<string, FtpServerFile>;
  /** The commands that it received, without those of the login. */
  readonly commands: string[];
  readonly faults: FtpFaults;
  /** Addresses of its data connections. */
  readonly peers: string[];
  url(path: string): URL;
  stop(): Promise<void>;
}

const login = ['USER', 'PASS', 'FEAT', 'TYPE', 'STRU', 'OPTS'];

/** Starts the server on a free port of 127.0.0.1. */
export async function startFtpServer(): Promise<FtpServer> {
  const files = new Map<string, FtpServerFile>();
  const commands: string[] = [];
  const peers: string[] = [];
  const faults: FtpFaults = { replies: {} };
  const sockets = new Set<Socket>();
  const servers = new Set<Server>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };

  const server = createServer((control) => {
    keep(control);
    let data: Promise<Socket> | undefined;
    const say = (line: string) => void control.write(`${line}\r\n`);
    const passive = async (): Promise<number> => {
      const listener = createServer();
      servers.add(listener);
      listener.listen(0, '127.0.0.1');
      await once(listener, 'listening');
      data = once(listener, 'connection').then(([socket]) => {
        keep(socket);
        peers.push(socket.remoteAddress);
        listener.close();
        return socket;
      });
      return (listener.address() as AddressInfo).port;
    };
    const send = async (file: FtpServerFile) => {
      const socket = await data!;
      say('150 here it comes');
      if (faults.isStuck) return void socket.write(file.content.subarray(0, 1));
      socket.end(file.content.subarray(0, faults.cutAt));
      // Not by `once`, which rejects when the client resets the connection.
      await new Promise((resolve) => socket.on('close', resolve));
      say('226 complete');
    };
    const answer = async (line: string): Promise<void> => {
      const [command = '', ...words] = line.split(' ');
      const file = files.get(words.join(' '));
      if (!login.includes(command)) commands.push(line);
      const reply = faults.replies[command];
      if (reply !== undefined) return say(reply);
      if (command === 'USER') return say('331 password please');
      if (command === 'PASS') return say('230 welcome');
      if (command === 'EPSV') return say(`229 extended passive (|||${await passive()}|)`);
      if (command === 'PASV') {
        const port = await passive();
        return say(`227 passive (127,0,0,1,${port >> 8},${port & 255})`);
      }
      if (['SIZE', 'MDTM', 'RETR'].includes(command) && file === undefined) return say('550 no such file');
      if (command === 'SIZE') return say(`213 ${file!.content.length}`);
      if (command === 'MDTM') return say(`213 ${file!.changed}`);
      if (command === 'RETR') return send(file!);
      say('200 fine');
    };
    let text = '';
    control.setEncoding('latin1').on('data', async (piece) => {
      text += piece;
      const lines = text.split('\r\n');
      text = lines.pop()!;
      for (const line of lines) await answer(line);
    });
    say(faults.replies[''] ?? '220 hello');
  });
  servers.add(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    files,
    commands,
    faults,
    peers,
    url: (path) => new URL(path, `ftp://127.0.0.1:${port}`),
    async stop() {
      for (const socket of sockets) socket.destroy();
      for (const one of servers) one.close();
    },
  };
}
