import { mount } from "svelte";
import "./lib/theme.svelte";
// What is general comes first, so that what belongs to a component can differ from it.
import "./look.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/layout.css";
import "./styles/view-styles.css";
import App from "./App.svelte";
import "./drawn/stage.css";
import { dealNotes } from "./lib/browser-storage.svelte";
import { begin } from "./words";

dealNotes.forgetOld();
await begin();

const target = document.getElementById("app");
if (target) mount(App, { target });

// So that the page opens where the line is down. It is no harm where a browser does not want to.
if (import.meta.env.PROD) navigator.serviceWorker?.register("/offline.js").catch(() => {});
