namespace System.Runtime.InteropServices;

/// <summary>The part of .NET 10's type that the library uses, where it is built for .NET 9.</summary>
internal struct GCHandle<T> : IDisposable
    where T : class
{
    private GCHandle _handle;

    internal GCHandle(T target) => _handle = GCHandle.Alloc(target);

    private GCHandle(GCHandle handle) => _handle = handle;

    internal readonly T Target => (T)_handle.Target!;

    internal static nint ToIntPtr(GCHandle<T> value) => GCHandle.ToIntPtr(value._handle);

    internal static GCHandle<T> FromIntPtr(nint value) => new(GCHandle.FromIntPtr(value));

    public void Dispose() => _handle.Free();
}
