/** Values of the light and dark themes of JupyterLab 4.6 that the tokens are made from. */
export type Theme = Readonly<Record<string, string>>;

export const light: Theme = {
  '--jp-layout-color0': '#fff',
  '--jp-layout-color1': '#fff',
  '--jp-layout-color2': '#eee',
  '--jp-layout-color4': '#757575',
  '--jp-border-color1': '#bdbdbd',
  '--jp-border-color2': '#e0e0e0',
  '--jp-ui-font-color0': '#000',
  '--jp-ui-font-color1': 'rgba(0,0,0,.87)',
  '--jp-ui-font-color3': 'rgba(0,0,0,.38)',
  '--jp-brand-color0': '#0d47a1',
  '--jp-brand-color1': '#1976d2',
  '--jp-warn-color0': '#e65100',
  '--jp-warn-color1': '#f57c00',
  '--jp-error-color1': '#d32f2f',
  '--jp-success-color1': '#388e3c'
};

export const dark: Theme = {
  '--jp-layout-color0': '#111',
  '--jp-layout-color1': '#212121',
  '--jp-layout-color2': '#424242',
  '--jp-layout-color4': '#757575',
  '--jp-border-color1': '#616161',
  '--jp-border-color2': '#424242',
  '--jp-ui-font-color0': '#fff',
  '--jp-ui-font-color1': 'rgba(255,255,255,.87)',
  '--jp-ui-font-color3': 'rgba(255,255,255,.38)',
  '--jp-brand-color0': '#1976d2',
  '--jp-brand-color1': '#2196f3',
  '--jp-warn-color0': '#f57c00',
  '--jp-warn-color1': '#ff9800',
  '--jp-error-color1': '#f44336',
  '--jp-success-color1': '#4caf50'
};
