using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Tarn.SharedMemory.AspNetCore;

namespace Microsoft.AspNetCore.Hosting;

/// <summary>Lets Kestrel accept connections through shared memory.</summary>
public static class TarnSharedMemoryWebHostBuilderExtensions
{
    /// <summary>
    /// Lets Kestrel listen at end points of the type <see cref="SharedMemoryEndPoint"/>, beside its other ones:
    /// <c>kestrel.Listen(new SharedMemoryEndPoint("orders"))</c>.
    /// </summary>
    /// <remarks>
    /// All that runs over a connection of Kestrel runs over shared memory: HTTP/1.1, HTTP/2 and gRPC. A client that ends, however it ends,
    /// cancels its requests within about a second.
    /// </remarks>
    /// <param name="builder">The builder of a host with Kestrel.</param>
    /// <returns><paramref name="builder"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="builder"/> is null.</exception>
    public static IWebHostBuilder UseTarnSharedMemory(this IWebHostBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.ConfigureServices(static services =>
            services.TryAddEnumerable(ServiceDescriptor.Singleton<IConnectionListenerFactory, SharedMemoryListenerFactory>()));
    }
}
