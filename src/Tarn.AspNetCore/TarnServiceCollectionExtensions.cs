using System.Buffers;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Diagnostics;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
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
    /// A host that registers its server later (<c>ConfigureWebHostDefaults</c> of a generic host, <c>UseKestrel</c> of a
    /// <c>WebApplicationFactory</c>) replaces the memory pools. The server then uses its own, and a warning is logged when the application
    /// starts that says what to move.
    /// </remarks>
    /// <param name="services">The services of the application.</param>
    /// <returns><paramref name="services"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="services"/> is null.</exception>
    public static IServiceCollection AddTarn(this IServiceCollection services)
    {
        ArgumentNullException.ThrowIfNull(services);
        return Add(services, null);
    }

    /// <summary>As <see cref="AddTarn(IServiceCollection)"/>, with options.</summary>
    /// <remarks>
    /// Several calls configure the same options, one after the other; what an earlier call registered stays registered. A section that an
    /// earlier call read is no longer followed: what the code sets stands. The application verifies the options once more when it starts:
    /// a setting that has no effect beside the others ends the start.
    /// </remarks>
    /// <param name="services">The services of the application.</param>
    /// <param name="configure">Sets options. It is called once, by this method, with what earlier calls have set.</param>
    /// <returns><paramref name="services"/>.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException">An option is out of range; the message names it and its value.</exception>
    public static IServiceCollection AddTarn(this IServiceCollection services, Action<TarnServerOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(configure);
        TarnServerOptions before = Find(services).Options;
        TarnServerOptions changed = before.Copy();
        configure(changed);
        changed.Verify(nameof(configure));
        services.RemoveAll<FollowedConfiguration>();
        return Add(services, changed).Configure<TarnServerOptions>(taken => taken.Take(changed, before));
    }

    /// <summary>
    /// As <see cref="AddTarn(IServiceCollection)"/>, with the options that a section of the configuration has:
    /// <c>AddTarn(builder.Configuration.GetSection("Tarn"))</c>.
    /// </summary>
    /// <remarks>
    /// <para>The keys have the names of <see cref="TarnServerOptions"/>. Bytes are a number, or one with <c>KiB</c>, <c>MiB</c> or
    /// <c>GiB</c>; times are as <c>00:00:10</c>; <see cref="TarnServerOptions.IdleTimeout"/> may be <c>infinite</c>;
    /// <see cref="TarnServerOptions.RequestBudget"/> is the limit of a budget with the name <c>requests</c>. A setting that the section
    /// does not have, or has empty, stays as it is.</para>
    /// <para>The section is read here, and again when the application starts. When it changes later,
    /// <see cref="TarnServerOptions.RequestBudgetTimeout"/> and <see cref="TarnServerOptions.RetryAfter"/> follow, and a warning names the
    /// settings that need another start.</para>
    /// </remarks>
    /// <param name="services">The services of the application.</param>
    /// <param name="configuration">The section.</param>
    /// <returns><paramref name="services"/>.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="InvalidOperationException">
    /// The section has a key that is no setting, or a value that is none; the message names the path of the key.
    /// </exception>
    public static IServiceCollection AddTarn(this IServiceCollection services, IConfiguration configuration)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(configuration);
        TarnServerOptions read = Find(services).Options.Copy();
        ConfigurationReader.Read(configuration, read);

        Add(services, read);
        services.Replace(ServiceDescriptor.Singleton(new FollowedConfiguration(configuration)));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, ConfigurationChanges>());
        return services.Configure<TarnServerOptions>(taken => ConfigurationReader.Read(configuration, taken, read.RequestBudget));
    }

    private static IServiceCollection Add(IServiceCollection services, TarnServerOptions? options)
    {
        Registered registered = Find(services);
        if (options is not null)
        {
            registered.Options = options;
        }

        services.AddOptionsWithValidateOnStart<TarnServerOptions, OptionsValidation>();
        services.TryAddSingleton(static services => services.GetRequiredService<IOptions<TarnServerOptions>>().Value);
        services.TryAddSingleton<RequestPools>();
        services.TryAddScoped(static services => new RequestBuffers(services.GetRequiredService<RequestPools>()));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, IdleCollector>());
        services.TryAddSingleton<BudgetRefusals>();
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IStartupFilter, BudgetRefusals>(Find<BudgetRefusals>));
        AddFirst(services, ServiceDescriptor.Singleton<IExceptionHandler, BudgetRefusals>(Find<BudgetRefusals>));
        AddFirst(services, ServiceDescriptor.Singleton<IDeveloperPageExceptionFilter, BudgetRefusals>(Find<BudgetRefusals>));
        services.AddMetrics();
        services.TryAddSingleton<ServerMemoryPoolFactory>();
        services.TryAddSingleton<StreamWatch>();
        if (registered.Options.PoolServerBlocks)
        {
            services.Replace(ServiceDescriptor.Singleton<IMemoryPoolFactory<byte>>(Find<ServerMemoryPoolFactory>));
            services.TryAddEnumerable(ServiceDescriptor.Singleton<IStartupFilter, RegistrationCheck>());
        }

        if (registered.Options.PoolArrays)
        {
            services.Replace(ServiceDescriptor.Singleton<ArrayPool<byte>>(static services => CreatePool<byte>(services, "mvc.byte")));
            services.Replace(ServiceDescriptor.Singleton<ArrayPool<char>>(static services => CreatePool<char>(services, "mvc.char")));
        }

        return services;
    }

    /// <summary>Adds a service that is asked before others of its type, whoever registered them earlier.</summary>
    private static void AddFirst(IServiceCollection services, ServiceDescriptor service)
    {
        if (!services.Any(one => one.ServiceType == service.ServiceType && one.ImplementationFactory == service.ImplementationFactory))
        {
            services.Insert(0, service);
        }
    }

    private static Registered Find(IServiceCollection services)
    {
        Registered? registered = services
            .FirstOrDefault(static descriptor => descriptor.ServiceType == typeof(Registered))?.ImplementationInstance as Registered;
        if (registered is null)
        {
            registered = new Registered();
            services.AddSingleton(registered);
        }

        return registered;
    }

    private static TService Find<TService>(IServiceProvider services)
        where TService : notnull => services.GetRequiredService<TService>();

    private static BufferPool<T> CreatePool<T>(IServiceProvider services, string name)
    {
        TarnServerOptions options = services.GetRequiredService<TarnServerOptions>();
        return BufferPool<T>.Create(options.ForArrays(name, options.MaxPooledBytes));
    }
}
