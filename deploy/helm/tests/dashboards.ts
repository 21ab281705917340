import { type Manifest, named } from './manifest.js';
import { render } from './render.js';

/** A panel of a dashboard of Grafana. */
interface Panel {
  title: string;
  type: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets: { refId: string; expr: string; legendFormat: string }[];
}

/** A dashboard of Grafana, as the chart installs it. */
interface Dashboard {
  uid: string;
  title: string;
  tags: string[];
  links: { type: string; tags: string[]; includeVars: boolean }[];
  templating: { list: { name: string }[] };
  panels: Panel[];
}

/** The manifests of an installation with all of monitoring. */
export const monitored: Manifest[] = await render({ release: 'registry', namespace: 'inside', values: 'production' });

/** The ConfigMap of the dashboards. */
export const configMap = named(monitored, 'ConfigMap', 'registry-cadastre-dashboard');

/** The dashboards by the names of their files. */
export const dashboards = new Map(
  Object.entries(configMap.data!).map(([file, json]) => [file, JSON.parse(json) as Dashboard] as const),
);
