using System.Reflection;
using System.Runtime.Loader;

namespace Tarn;

/// <summary>Lets a pool of a plug-in's element type keep nothing once the plug-in is being unloaded.</summary>
/// <remarks>
/// Threads' caches would keep arrays of that type until they were idle for the timeout, and with them the type, its assembly and its load
/// context. <see cref="AssemblyLoadContext.Unload"/> tells of it at once. The pool goes on to serve code that still runs, and drops what
/// comes back. All members are safe to call from any thread.
/// </remarks>
internal sealed class UnloadedPool
{
    /// <summary>Weak: a host may keep the context's object for good.</summary>
    private readonly WeakReference<PoolCore> _pool;
    private readonly List<AssemblyLoadContext> _contexts = [];

    private UnloadedPool(PoolCore pool) => _pool = new WeakReference<PoolCore>(pool);

    /// <summary>Waits for the unloading of what an element type is made of; null if nothing of it can be unloaded.</summary>
    internal static UnloadedPool? Watch(PoolCore pool, Type element)
    {
        if (!element.IsCollectible)
        {
            return null;
        }

        UnloadedPool watch = new(pool);
        watch.AddContexts(element);
        watch._contexts.ForEach(context => context.Unloading += watch.OnUnloading);
        return watch;
    }

    /// <summary>Ends the wait, because the pool has ended. For the finalizer.</summary>
    internal void Forget() => _contexts.ForEach(context => context.Unloading -= OnUnloading);

    private void AddContexts(Type type)
    {
        foreach (Type part in type.HasElementType ? [type.GetElementType()!] : type.GetGenericArguments())
        {
            AddContexts(part);
        }

        if (type.Assembly.IsCollectible && AssemblyLoadContext.GetLoadContext(type.Assembly) is { IsCollectible: true } context
            && !_contexts.Contains(context))
        {
            _contexts.Add(context);
        }
    }

    private void OnUnloading(AssemblyLoadContext context)
    {
        if (_pool.TryGetTarget(out PoolCore? pool))
        {
            pool.KeepNothing();
        }
    }
}
