startTable();
startDecisions();
startLimits();
document.getElementById("live").hidden = false;
document.documentElement.dataset.ready = "true";
performance.mark("table");
addEventListener("hashchange", follow);
follow();
