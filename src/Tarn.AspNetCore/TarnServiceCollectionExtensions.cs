using System.Buffers;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Tarn;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds Tarn to a server's services.</summary>
public static class TarnServiceCollectionExtensions
{
    /// <summary>
    /// Gives Kestrel, HTTP.sys, IIS and the named-pipe transport Tarn's memory pools and MVC Tarn's array pools, and adds
    /// <see cref="RequestBuffers"/>.
    /// </summary>
    /// <remarks>
    /// A second call replaces the options; what the first call registered stays registered. A host that registers its server later
    /// (<c>ConfigureWebHostDefaults</c> of a generic host, <c>UseKestrel</c> of a <c>WebApplicationFactory</c>) replaces the memory pools.
    /// The server then uses its own, and a warning is logged when the application starts that says what to move.
    /// </remarks>
    /// <param name="services">The services of the application.</param>
    /// <param name="options">The options; null selects the defaults.</param>
    /// <returns><paramref name="services"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="services"/> is null.</exception>
    /// <exception cref="ArgumentException">An option is out of range; the message names it and its value.</exception>
    public static IServiceCollection AddTarn(this IServiceCollection services, TarnServerOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        options ??= new TarnServerOptions();
        options.Verify(nameof(options));

        services.Replace(ServiceDescriptor.Singleton(options));
        services.TryAddSingleton<RequestPools>();
        services.TryAddScoped(static services => new RequestBuffers(services.GetRequiredService<RequestPools>()));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, IdleCollector>());
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IStartupFilter, BudgetRefusals>());
        services.AddMetrics();
        services.TryAddSingleton<ServerMemoryPoolFactory>();
        services.TryAddSingleton<StreamWatch>();
        if (options.PoolServerBlocks)
        {
            services.Replace(ServiceDescriptor.Singleton<IMemoryPoolFactory<byte>>(Find));
            services.TryAddEnumerable(ServiceDescriptor.Singleton<IStartupFilter, RegistrationCheck>());
        }

        if (options.PoolArrays)
        {
            services.Replace(ServiceDescriptor.Singleton<ArrayPool<byte>>(_ => CreatePool<byte>(options, "mvc.byte")));
            services.Replace(ServiceDescriptor.Singleton<ArrayPool<char>>(_ => CreatePool<char>(options, "mvc.char")));
        }

        return services;
    }

    private static ServerMemoryPoolFactory Find(IServiceProvider services) => services.GetRequiredService<ServerMemoryPoolFactory>();

    private static BufferPool<T> CreatePool<T>(TarnServerOptions options, string name) =>
        BufferPool<T>.Create(options.ForArrays(name, options.MaxPooledBytes));
}
