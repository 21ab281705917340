import { render } from 'preact';
import { App } from './app.js';
import './design/index.css';

render(<App />, document.getElementById('app')!);
