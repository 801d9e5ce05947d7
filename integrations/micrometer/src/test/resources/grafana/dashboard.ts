// SPDX-License-Identifier: Apache-2.0

// The dashboard against Grafana's own types. What follows this file is the dashboard.
import type * as grafana from '@grafana/schema';
import type * as stat from '@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen';
import type * as timeseries from '@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen';

/** JSON has texts where TypeScript has constants of enumerations. */
type AsText<T> = T extends string ? `${T}` : T extends object ? { [K in keyof T]: AsText<T[K]> } : T;

/** Grafana has no types of its plugin for Prometheus among these any more. */
type PrometheusQuery = grafana.DataQuery & {
    expr: string;
    editorMode?: 'code' | 'builder';
    format?: 'time_series' | 'table' | 'heatmap';
    instant?: boolean;
    legendFormat?: string;
    range?: boolean;
};

/** Options that are left out are the plugin's own defaults. */
type PanelOf<Type, Options, Custom> = Omit<grafana.Panel, 'type' | 'options' | 'fieldConfig' | 'targets'> & {
    type: Type;
    options: Partial<Options>;
    fieldConfig: grafana.FieldConfigSource<Custom>;
    targets: PrometheusQuery[];
};

type Dashboard = Omit<grafana.Dashboard, 'panels'> & {
    panels: (PanelOf<'stat', stat.Options, object> | PanelOf<'timeseries', timeseries.Options, timeseries.FieldConfig>)[];
};

export const dashboard: AsText<Dashboard> =
