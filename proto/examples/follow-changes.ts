// A system of the operator that reads an object and then follows all changes. Run it with Node.js 24, after `make build`:
//
//   ADDRESS=objects.example:9090 CA=ca.crt CERT=me.crt KEY=me.key node proto/examples/follow-changes.ts TEST mntner EXAMPLE-MNT
//
// TOKEN instead of CERT and KEY when this system has a token. ADDRESS=unix:/path (from .data/run.json) with none of
// them for a registry that `make run` started. CHANGES=n ends it after n changes. It needs the grants
// cadastre.objects.v1.ObjectReaderService/BatchLookup and cadastre.objects.v1.ChangeFeedService/Watch.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ErrorInfo, Status } from '@cadastre/proto/google-rpc';
import {
  ChangeFeedServiceClient,
  LookupStatus,
  ObjectReaderServiceClient,
  type WatchResponse,
} from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import { type ChannelCredentials, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';

const { ADDRESS = '', CA, CERT, KEY, TOKEN, CHANGES = 'Infinity' } = process.env;
const [source = 'TEST', type = 'mntner', key = 'EXAMPLE-MNT'] = process.argv.slice(2);

/** A certificate identifies the caller; with a token, TLS still authenticates the server. */
function channelCredentials(): ChannelCredentials {
  if (!CA) return credentials.createInsecure();
  if (CERT && KEY) return credentials.createSsl(readFileSync(CA), readFileSync(KEY), readFileSync(CERT));
  const withToken = credentials.createFromMetadataGenerator((_, done) => {
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${TOKEN}`);
    done(null, metadata);
  });
  return credentials.combineChannelCredentials(credentials.createSsl(readFileSync(CA)), withToken);
}

const options = {
  // Spreads calls over all replicas in the DNS name of a headless Service.
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.keepalive_time_ms': 30_000,
};
const target = ADDRESS.startsWith('unix:') || ADDRESS.startsWith('ipv4:') ? ADDRESS : `dns:///${ADDRESS}`;
const reader = new ObjectReaderServiceClient(target, channelCredentials(), options);
const feed = new ChangeFeedServiceClient(target, channelCredentials(), options);

/** Every call has a deadline: without one it may wait for ever. */
function lookUp(): Promise<string> {
  const lookup = { key: { source, type, key }, view: View.VIEW_FILTERED, withContacts: false };
  const deadline = { deadline: Date.now() + 5_000 };
  return new Promise((resolve, reject) => {
    reader.batchLookup({ lookups: [lookup] }, new Metadata(), deadline, (error, response) => {
      if (error) return reject(error);
      const answer = response.answers[0];
      resolve(answer?.status === LookupStatus.LOOKUP_STATUS_FOUND ? (answer.object?.text ?? '') : 'not found');
    });
  });
}

/** The reason that the registry gives, such as OUT_OF_RANGE; the text of the error if it gives none. */
function reasonOf(error: ServiceError): string {
  const [trailer] = error.metadata?.get('grpc-status-details-bin') ?? [];
  if (!(trailer instanceof Buffer)) return error.message;
  const info = Status.decode(trailer).details.find(({ typeUrl }) => typeUrl.endsWith('/google.rpc.ErrorInfo'));
  return info ? ErrorInfo.decode(info.value).reason : error.message;
}

/** The serial and its time are the only state: a reader that continues there misses nothing. */
async function follow(wanted: number): Promise<void> {
  let serial = 0n;
  let instant: Date | undefined;
  for (let seen = 0; seen < wanted; ) {
    const position = { afterSerial: serial, afterInstant: instant, fromNow: serial === 0n };
    const request = { source, ...position, keysOnly: true, latestOnly: false };
    const stream = feed.watch(request);
    stream.on('error', () => {}); // The loop below hears of it.
    try {
      for await (const response of stream as AsyncIterable<WatchResponse>) {
        if (serial === 0n) console.log(`following ${source} from serial ${response.serial}`);
        const last = response.changes.at(-1);
        if (response.serial > serial) instant = last?.serial === response.serial ? last.instant : undefined;
        serial = response.serial;
        for (const change of response.changes)
          console.log(`${change.serial} ${change.object?.type} ${change.object?.key}`);
        seen += response.changes.length;
        if (seen >= wanted) break;
      }
    } catch (error) {
      const reason = reasonOf(error as ServiceError);
      // The registry has removed the next changes, or was restored to an earlier state.
      if (reason === 'OUT_OF_RANGE') throw new Error('the feed cannot continue: start again from an export');
      // A stopping replica ends its streams; the next one continues from the same serial.
      console.error(`the feed ended (${reason}), resuming after serial ${serial}`);
      await delay(1_000);
    } finally {
      stream.cancel();
    }
  }
}

console.log(await lookUp());
await follow(Number(CHANGES));
reader.close();
feed.close();
