using System.Net;
using System.Net.Sockets;

namespace Tarn.SharedMemory.AspNetCore;

/// <summary>
/// The name at which Kestrel accepts connections through shared memory, after <c>UseTarnSharedMemory</c>. Clients connect with
/// <see cref="SharedPipe.ConnectAsync"/>.
/// </summary>
/// <param name="name">A name by the rules of <see cref="SharedPipeListener.Create"/>.</param>
/// <param name="options">The users who may connect; null for this user. See <see cref="SharedPipeListener.Create"/>.</param>
public sealed class SharedMemoryEndPoint(string name, SharedPipeOptions? options = null) : EndPoint
{
    /// <summary>The name.</summary>
    public string Name { get; } = name ?? throw new ArgumentNullException(nameof(name));

    /// <inheritdoc/>
    public override AddressFamily AddressFamily => AddressFamily.Unspecified;

    /// <summary>The users who may connect.</summary>
    internal SharedPipeOptions? Options { get; } = options;

    /// <summary>The name, as servers show it in their addresses.</summary>
    /// <returns><c>shared-memory:</c> and the name.</returns>
    public override string ToString() => $"shared-memory:{Name}";

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is SharedMemoryEndPoint other && other.Name == Name;

    /// <inheritdoc/>
    public override int GetHashCode() => Name.GetHashCode(StringComparison.Ordinal);
}
