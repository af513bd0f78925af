using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;

namespace Tarn;

/// <summary>Refuses to start an application whose server would not use the pools it was given, which nothing else would show.</summary>
internal sealed class RegistrationCheck(IServiceProvider services) : IStartupFilter
{
    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">Another factory was registered after <c>AddTarn</c>.</exception>
    public Action<IApplicationBuilder> Configure(Action<IApplicationBuilder> next)
    {
        IMemoryPoolFactory<byte> factory = services.GetRequiredService<IMemoryPoolFactory<byte>>();
        return factory is ServerMemoryPoolFactory
            ? next
            : throw new InvalidOperationException(
                $"{factory.GetType()} was registered as IMemoryPoolFactory<byte> after AddTarn, so the server would not use Tarn's pools. "
                + "Call AddTarn after the server is added (ConfigureWebHostDefaults, UseKestrel), or set PoolServerBlocks to false.");
    }
}
