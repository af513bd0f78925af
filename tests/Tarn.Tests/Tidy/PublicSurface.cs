using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;

namespace Tarn.Tests.Tidy;

/// <summary>
/// Prints the public surface of an assembly, with a line for each type and member, sorted, so that a review shows its changes.
/// </summary>
internal static class PublicSurface
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    /// <summary>Fails unless the printed surface is the approved one. If not, writes what was printed beside it.</summary>
    /// <param name="approved">The path of the approved text in the repository, with <c>.approved.</c> in its name.</param>
    /// <param name="types">The public types.</param>
    internal static void AssertApproved(string approved, IEnumerable<Type> types)
    {
        string approvedPath = Repository.At(approved);
        string receivedPath = approvedPath.Replace(".approved.", ".received.", StringComparison.Ordinal);
        string surface = Print(types);
        if (File.Exists(approvedPath) && File.ReadAllText(approvedPath) == surface)
        {
            File.Delete(receivedPath);
            return;
        }

        File.WriteAllText(receivedPath, surface);
        Assert.Fail(
            "The public surface has changed. Compare PublicSurface.received.txt with PublicSurface.approved.txt beside it; "
            + "if the change is meant, rename the received file to the approved one and commit it.");
    }

    internal static string Print(IEnumerable<Type> types)
    {
        StringBuilder text = new();
        string? space = null;
        foreach (Type type in types.OrderBy(static type => type.Namespace, StringComparer.Ordinal).ThenBy(NameOf, StringComparer.Ordinal))
        {
            if (type.Namespace != space)
            {
                space = type.Namespace;
                text.Append(CultureInfo.InvariantCulture, $"namespace {space}\n");
            }

            text.Append(Head(type)).Append('\n');
            foreach (string line in Members(type).Order(StringComparer.Ordinal))
            {
                text.Append("    ").Append(line).Append('\n');
            }
        }

        return text.ToString();
    }

    private static string Head(Type type)
    {
        string kind = type switch
        {
            { IsEnum: true } => "enum",
            { IsValueType: true } =>
                (type.IsDefined(typeof(IsReadOnlyAttribute)) ? "readonly " : "") + (type.IsByRefLike ? "ref struct" : "struct"),
            { IsInterface: true } => "interface",
            _ when type.IsSubclassOf(typeof(Delegate)) => "delegate",
            { IsAbstract: true, IsSealed: true } => "static class",
            { IsSealed: true } => "sealed class",
            { IsAbstract: true } => "abstract class",
            _ => "class",
        };
        IEnumerable<string> bases = type.IsEnum || type.IsSubclassOf(typeof(Delegate)) ? [] : Bases(type);
        return $"{kind} {NameOf(type)}{(bases.Any() ? " : " + string.Join(", ", bases) : "")}{Constraints(type.GetGenericArguments())}";
    }

    private static IEnumerable<string> Bases(Type type)
    {
        if (type.BaseType is { } parent && parent != typeof(object) && parent != typeof(ValueType))
        {
            yield return NameOf(parent);
        }

        foreach (string name in type.GetInterfaces().Where(known => known.IsVisible).Select(NameOf).Order(StringComparer.Ordinal))
        {
            yield return name;
        }
    }

    private static IEnumerable<string> Members(Type type)
    {
        if (type.IsSubclassOf(typeof(Delegate)))
        {
            yield return Signature(type.GetMethod("Invoke")!);
            yield break;
        }

        foreach (FieldInfo field in type.GetFields(Declared).Where(
            field => IsSeen(field.IsPublic, field.IsFamily, field.IsFamilyOrAssembly)))
        {
            if (!field.IsSpecialName)
            {
                string value = field.IsLiteral ? $" = {field.GetRawConstantValue()}" : "";
                yield return $"{(field.IsLiteral ? "const " : field.IsStatic ? "static " : "")}{NameOf(field.FieldType)} "
                    + $"{field.Name}{value}";
            }
        }

        foreach (MethodBase method in type.GetMembers(Declared).OfType<MethodBase>())
        {
            if (IsSeen(method.IsPublic, method.IsFamily, method.IsFamilyOrAssembly) && method.Name != "Finalize")
            {
                yield return Signature(method);
            }
        }
    }

    private static bool IsSeen(bool isPublic, bool isFamily, bool isFamilyOrAssembly) => isPublic || isFamily || isFamilyOrAssembly;

    /// <summary>
    /// Accessors are printed as the methods they are: <c>get_</c> and <c>set_</c>, with <c>init</c> where only that is allowed.
    /// </summary>
    private static string Signature(MethodBase method)
    {
        MethodInfo? info = method as MethodInfo;
        bool isInit = info?.ReturnParameter.GetRequiredCustomModifiers().Contains(typeof(IsExternalInit)) == true;
        string kind =
            (method.IsPublic ? "" : "protected ")
            + (method.IsStatic ? "static " : "")
            + (method.IsAbstract ? "abstract "
                : method.IsVirtual && !method.IsFinal ? (info?.GetBaseDefinition() == info ? "virtual " : "override ")
                : "")
            + (isInit ? "init " : "");
        string generic = method.IsGenericMethod ? $"<{string.Join(", ", method.GetGenericArguments().Select(NameOf))}>" : "";
        string parameters = string.Join(", ", method.GetParameters().Select(Parameter));
        string result = info is null ? "" : NameOf(info.ReturnType) + " ";
        string constraints = method.IsGenericMethod ? Constraints(method.GetGenericArguments()) : "";
        return $"{kind}{result}{method.Name}{generic}({parameters}){constraints}";
    }

    private static string Parameter(ParameterInfo parameter)
    {
        string value = parameter.HasDefaultValue ? $" = {parameter.RawDefaultValue ?? "null"}" : "";
        string way = parameter.IsOut ? "out " : parameter.IsIn ? "in " : parameter.ParameterType.IsByRef ? "ref " : "";
        return $"{way}{NameOf(parameter.ParameterType)} {parameter.Name}{value}";
    }

    private static string Constraints(Type[] arguments) =>
        string.Concat(arguments.Where(argument => argument.IsGenericParameter).Select(Constraint));

    private static string Constraint(Type argument)
    {
        GenericParameterAttributes flags = argument.GenericParameterAttributes;
        List<string> demands = [.. argument.GetGenericParameterConstraints().Select(NameOf)];
        (GenericParameterAttributes Flag, string Text)[] known =
        [
            (GenericParameterAttributes.ReferenceTypeConstraint, "class"),
            (GenericParameterAttributes.NotNullableValueTypeConstraint, "struct"),
            (GenericParameterAttributes.DefaultConstructorConstraint, "new()"),
            (GenericParameterAttributes.AllowByRefLike, "allows ref struct"),
        ];
        demands.AddRange(known.Where(one => (flags & one.Flag) != 0).Select(one => one.Text));
        return demands.Count == 0 ? "" : $" where {argument.Name} : {string.Join(", ", demands)}";
    }

    private static string NameOf(Type type)
    {
        if (type.IsByRef || type.IsArray || type.IsPointer)
        {
            string suffix = type.IsArray ? "[]" : type.IsPointer ? "*" : "";
            return NameOf(type.GetElementType()!) + suffix;
        }

        if (type.IsGenericParameter)
        {
            return type.Name;
        }

        string name = type.IsNested ? NameOf(type.DeclaringType!) + "." + type.Name : type.Name;
        int tick = name.IndexOf('`', StringComparison.Ordinal);
        return tick < 0 ? name : $"{name[..tick]}<{string.Join(", ", type.GetGenericArguments().Select(NameOf))}>";
    }
}
