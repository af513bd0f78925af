using System.Diagnostics;
using System.Reflection;

namespace Tarn.Sanitizing.Checking;

/// <summary>One frame, as the report names it.</summary>
/// <param name="Method">The method with its type, as the runtime names them.</param>
/// <param name="Assembly">The simple name of the assembly.</param>
/// <param name="Path">The assembly's file; empty if it has none.</param>
/// <param name="Token">The method's token in it.</param>
/// <param name="Offset">The place in the method's IL; negative if it is unknown.</param>
internal readonly record struct RecordedFrame(string Method, string Assembly, string Path, int Token, int Offset)
{
    /// <summary>The source file, where only the process itself can find it; else empty.</summary>
    internal string File { get; private init; } = "";

    internal int Line { get; private init; }

    internal static RecordedFrame Of(MethodBase method, int offset)
    {
        Assembly assembly = method.Module.Assembly;
        return new RecordedFrame(NameOf(method), assembly.GetName().Name ?? "", PathOf(assembly), TokenOf(method), offset);
    }

    internal static RecordedFrame Of(MethodBase method, StackFrame frame) => Of(method, frame.GetILOffset()) with
    {
        File = frame.GetFileName() ?? "",
        Line = frame.GetFileLineNumber(),
    };

    /// <summary>The file of an assembly; empty for one of a bundle, or one made at run time.</summary>
    internal static string PathOf(Assembly assembly)
    {
#pragma warning disable IL3000 // an empty path is what is asked for
        return assembly.IsDynamic ? "" : assembly.Location;
#pragma warning restore IL3000
    }

    private static string NameOf(MethodBase method)
    {
        Type? type = method.DeclaringType;
        string owner = type is null ? "" : type.IsGenericType ? type.GetGenericTypeDefinition().FullName! : type.FullName ?? type.Name;
        return owner.Length == 0 ? method.Name : $"{owner}.{method.Name}";
    }

    private static int TokenOf(MethodBase method)
    {
        try
        {
            return method.MetadataToken;
        }
        catch (InvalidOperationException)
        {
            // A dynamic method has none.
            return 0;
        }
    }
}
