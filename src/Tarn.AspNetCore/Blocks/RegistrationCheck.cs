using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Tarn;

/// <summary>Warns when an application starts whose server does not use the pools it was given, which nothing else would show.</summary>
/// <remarks>
/// It does not refuse: who starts the application may be unable to change the order, as a test host that adds Kestrel to an application's
/// own registrations. The server works with its own pools.
/// </remarks>
internal sealed partial class RegistrationCheck(IServiceProvider services, ILogger<RegistrationCheck> log) : IStartupFilter
{
    /// <inheritdoc/>
    public Action<IApplicationBuilder> Configure(Action<IApplicationBuilder> next)
    {
        IMemoryPoolFactory<byte>? factory = services.GetService<IMemoryPoolFactory<byte>>();
        if (factory is not ServerMemoryPoolFactory)
        {
            Warn(log, factory?.GetType().ToString() ?? "nothing");
        }

        return next;
    }

    [LoggerMessage(
        EventId = 1, EventName = "OtherMemoryPoolFactory", Level = LogLevel.Warning,
        Message = "The server does not use Tarn's pools: {Factory} is registered as IMemoryPoolFactory<byte>, after AddTarn. Call AddTarn "
            + "after the server is added (ConfigureWebHostDefaults, UseKestrel), or set PoolServerBlocks to false.")]
    private static partial void Warn(ILogger log, string factory);
}
