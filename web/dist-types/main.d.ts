import './design/index.css';
