import { mount } from "svelte";
import "./lib/theme.svelte";
import App from "./App.svelte";
import "./look.css";
import "./style.css";
import "./drawn/stage.css";

const target = document.getElementById("app");
if (target) mount(App, { target });
