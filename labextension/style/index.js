import './index.css';
import './lab.css';
