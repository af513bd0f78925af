using TarnProgram;

HostApplicationBuilder builder = Host.CreateApplicationBuilder(args);
builder.Services.AddHostedService<Exporter>();
builder.Build().Run();
