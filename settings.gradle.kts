rootProject.name = "tickwell"
