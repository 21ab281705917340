import type { Metrics } from '@cadastre/service';
import { Counter, Gauge } from 'prom-client';
import type { Applied, MirrorFault } from './origin.js';

/** The state of the copies that this replica updates. */
export type FollowMetrics = ReturnType<typeof followMetrics>;

export function followMetrics(metrics: Metrics, now: () => Date) {
  const registers = [metrics];
  const labelNames = ['source'];
  const lastSuccess = new Map<string, number>();
  new Gauge({
    name: 'cadastre_mirror_seconds_since_success',
    help: 'Seconds since a copy was last up to date; of the replica that follows its origin.',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const [source, at] of lastSuccess) this.set({ source }, Math.max(0, (now().getTime() - at) / 1000));
    },
  });
  const refused = new Gauge({
    name: 'cadastre_mirror_refused',
    help: 'Whether the origin of a copy published invalid data: 1 until it publishes valid data.',
    labelNames,
    registers,
  });
  const faults = new Counter({
    name: 'cadastre_mirror_faults_total',
    help: 'Updates of copies that failed, by kind: transient, refused.',
    labelNames: ['source', 'kind'],
    registers,
  });
  const applied = new Counter({
    name: 'cadastre_mirror_applied_total',
    help: 'Changes applied to copies, by kind: load (a complete load), put (a new or changed object), delete.',
    labelNames: ['source', 'kind'],
    registers,
  });
  const rejected = new Counter({
    name: 'cadastre_mirror_rejected_total',
    help: 'Unreadable objects of origins.',
    labelNames,
    registers,
  });
  return {
    /** This replica takes over a copy, which was current at that time. */
    began(source: string, current: Date): void {
      lastSuccess.set(source, current.getTime());
      for (const kind of ['transient', 'refused']) faults.inc({ source, kind }, 0);
    },
    succeeded(source: string, at: Date): void {
      lastSuccess.set(source, at.getTime());
      refused.set({ source }, 0);
    },
    failed(source: string, kind: MirrorFault['kind']): void {
      faults.inc({ source, kind });
      if (kind === 'refused') refused.set({ source }, 1);
    },
    applied(source: string, { loads, puts, deletes, rejected: number }: Applied): void {
      applied.inc({ source, kind: 'load' }, loads);
      applied.inc({ source, kind: 'put' }, puts);
      applied.inc({ source, kind: 'delete' }, deletes);
      rejected.inc({ source }, number);
    },
    /** Another replica may have the copy now. */
    left(source: string): void {
      lastSuccess.delete(source);
      refused.remove({ source });
    },
  };
}
