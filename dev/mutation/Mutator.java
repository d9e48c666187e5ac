import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Puts all mutants into classes at once, each behind a question to [Mutants].
final class Mutator {
    /// A change of the code. `line` is 0 where the class has no lines.
    record Mutant(int id, String type, String method, int line, String change) {}

    private static final ClassDesc SWITCH = ClassDesc.of("Mutants");
    private static final MethodTypeDesc ON =
            MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_int);

    /// Calls whose loss no test should notice: logging, hints, fences (the business of jcstress).
    private static final Set<String> LEFT_ALONE =
            Set.of(
                    "log",
                    "addSuppressed",
                    "onSpinWait",
                    "reachabilityFence",
                    "fullFence",
                    "acquireFence",
                    "releaseFence",
                    "storeStoreFence",
                    "loadLoadFence");

    private static final Map<Opcode, Opcode> NEGATED =
            pairs(
                    Opcode.IFEQ,
                    Opcode.IFNE,
                    Opcode.IFLT,
                    Opcode.IFGE,
                    Opcode.IFGT,
                    Opcode.IFLE,
                    Opcode.IF_ICMPEQ,
                    Opcode.IF_ICMPNE,
                    Opcode.IF_ICMPLT,
                    Opcode.IF_ICMPGE,
                    Opcode.IF_ICMPGT,
                    Opcode.IF_ICMPLE,
                    Opcode.IF_ACMPEQ,
                    Opcode.IF_ACMPNE,
                    Opcode.IFNULL,
                    Opcode.IFNONNULL);

    private static final Map<Opcode, Opcode> BOUNDARY =
            pairs(
                    Opcode.IFLT,
                    Opcode.IFLE,
                    Opcode.IFGT,
                    Opcode.IFGE,
                    Opcode.IF_ICMPLT,
                    Opcode.IF_ICMPLE,
                    Opcode.IF_ICMPGT,
                    Opcode.IF_ICMPGE);

    private static final Map<Opcode, Opcode> OPERATORS = operators();

    private final List<Mutant> mutants = new ArrayList<>();
    private final ClassFile files;

    Mutator(ClassLoader loader) {
        files =
                ClassFile.of(
                        ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                        ClassFile.ClassHierarchyResolverOption.of(
                                ClassHierarchyResolver.ofResourceParsing(loader)
                                        .orElse(ClassHierarchyResolver.defaultResolver())));
    }

    List<Mutant> mutants() {
        return mutants;
    }

    byte[] mutate(byte[] bytes) {
        ClassModel type = files.parse(bytes);
        String name = type.thisClass().asInternalName().replace('/', '.');
        boolean record =
                type.superclass()
                        .filter(s -> s.asInternalName().equals("java/lang/Record"))
                        .isPresent();
        boolean enumeration = type.flags().has(AccessFlag.ENUM);
        return files.transformClass(
                type,
                (to, part) -> {
                    if (part instanceof MethodModel method && isOurs(method, record, enumeration)) {
                        to.transformMethod(
                                method,
                                (methodTo, element) -> {
                                    if (element instanceof CodeModel code) {
                                        methodTo.transformCode(code, new Body(name, method));
                                    } else {
                                        methodTo.with(element);
                                    }
                                });
                    } else {
                        to.with(part);
                    }
                });
    }

    /// What javac made by itself is not mutated, nor are static initializers, which run once.
    private static boolean isOurs(MethodModel method, boolean record, boolean enumeration) {
        String name = method.methodName().stringValue();
        boolean lambda = name.startsWith("lambda$");
        boolean made =
                method.flags().has(AccessFlag.SYNTHETIC) && !lambda
                        || method.flags().has(AccessFlag.BRIDGE);
        boolean generated =
                record && Set.of("toString", "hashCode", "equals").contains(name)
                        || enumeration && Set.of("values", "valueOf", "$values").contains(name);
        return !made && !generated && !name.equals("<clinit>");
    }

    private final class Body implements CodeTransform {
        private final String type;
        private final MethodModel method;
        private final ClassDesc result;
        private int line;
        private CodeElement before;

        Body(String type, MethodModel method) {
            this.type = type;
            this.method = method;
            result = method.methodTypeSymbol().returnType();
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            switch (element) {
                case LineNumber number -> {
                    line = number.line();
                    code.with(element);
                    return;
                }
                case BranchInstruction branch -> branch(code, branch);
                case OperatorInstruction operator when OPERATORS.containsKey(operator.opcode()) -> {
                    Opcode other = OPERATORS.get(operator.opcode());
                    either(
                            code,
                            element,
                            operator.opcode() + " to " + other,
                            () -> {
                                if (other != Opcode.NOP) {
                                    code.with(OperatorInstruction.of(other));
                                }
                            });
                }
                case IncrementInstruction by ->
                        either(
                                code,
                                element,
                                "step negated",
                                () -> code.iinc(by.slot(), -by.constant()));
                case InvokeInstruction call when isRemovable(call) ->
                        either(
                                code,
                                element,
                                "without call of " + call.name().stringValue(),
                                () -> drop(code, call));
                case ReturnInstruction end -> end(code, end);
                default -> code.with(element);
            }
            if (element instanceof Instruction) {
                before = element;
            }
        }

        private void branch(CodeBuilder code, BranchInstruction branch) {
            Opcode negated = NEGATED.get(branch.opcode());
            boolean assertion =
                    before instanceof FieldInstruction field
                            && field.name().stringValue().equals("$assertionsDisabled");
            if (negated == null || assertion) {
                code.with(branch);
                return;
            }
            var end = code.newLabel();
            variant(code, "condition negated", end, () -> code.branch(negated, branch.target()));
            Opcode boundary = BOUNDARY.get(branch.opcode());
            if (boundary == null) {
                boundary = NEGATED.get(BOUNDARY.get(negated));
            }
            if (boundary != null) {
                Opcode moved = boundary;
                variant(code, "boundary moved", end, () -> code.branch(moved, branch.target()));
            }
            code.with(branch);
            code.labelBinding(end);
        }

        private void end(CodeBuilder code, ReturnInstruction end) {
            Opcode last = before instanceof Instruction i ? i.opcode() : Opcode.NOP;
            switch (end.typeKind()) {
                case INT -> {
                    if (result.equals(ConstantDescs.CD_boolean) && last != Opcode.ICONST_1) {
                        returned(code, "true returned", TypeKind.INT, () -> code.iconst_1());
                    }
                    if (last != Opcode.ICONST_0) {
                        boolean truth = result.equals(ConstantDescs.CD_boolean);
                        returned(
                                code,
                                truth ? "false returned" : "0 returned",
                                TypeKind.INT,
                                () -> code.iconst_0());
                    }
                }
                case LONG -> {
                    if (last != Opcode.LCONST_0) {
                        returned(code, "0 returned", TypeKind.LONG, () -> code.lconst_0());
                    }
                }
                case FLOAT -> returned(code, "0 returned", TypeKind.FLOAT, () -> code.fconst_0());
                case DOUBLE -> returned(code, "0 returned", TypeKind.DOUBLE, () -> code.dconst_0());
                case REFERENCE -> {
                    if (last != Opcode.ACONST_NULL) {
                        empty(code, last);
                    }
                }
                default -> {}
            }
            code.with(end);
        }

        private void empty(CodeBuilder code, Opcode last) {
            switch (result.displayName()) {
                case "String" ->
                        returned(
                                code,
                                "\"\" returned",
                                TypeKind.REFERENCE,
                                () -> code.loadConstant(""));
                case "Optional", "List", "Set", "Map" -> {
                    String of = result.displayName().equals("Optional") ? "empty" : "of";
                    boolean interfaces = !of.equals("empty");
                    returned(
                            code,
                            "nothing returned",
                            TypeKind.REFERENCE,
                            () ->
                                    code.invokestatic(
                                            result, of, MethodTypeDesc.of(result), interfaces));
                }
                default ->
                        returned(
                                code,
                                "null returned",
                                TypeKind.REFERENCE,
                                () -> code.aconst_null());
            }
        }

        private void returned(CodeBuilder code, String change, TypeKind kind, Runnable value) {
            var on = code.newLabel();
            ask(code, change);
            code.ifeq(on);
            if (kind.slotSize() == 2) {
                code.pop2();
            } else {
                code.pop();
            }
            value.run();
            code.return_(kind);
            code.labelBinding(on);
        }

        private void either(CodeBuilder code, CodeElement original, String change, Runnable other) {
            var end = code.newLabel();
            variant(code, change, end, other);
            code.with(original);
            code.labelBinding(end);
        }

        private void variant(CodeBuilder code, String change, Label end, Runnable other) {
            var on = code.newLabel();
            ask(code, change);
            code.ifeq(on);
            other.run();
            code.goto_(end);
            code.labelBinding(on);
        }

        private void ask(CodeBuilder code, String change) {
            int id = mutants.size();
            mutants.add(new Mutant(id, type, method.methodName().stringValue(), line, change));
            code.loadConstant(id);
            code.invokestatic(SWITCH, "on", ON);
        }

        private static boolean isRemovable(InvokeInstruction call) {
            String name = call.name().stringValue();
            return call.typeSymbol().returnType().equals(ConstantDescs.CD_void)
                    && !name.equals("<init>")
                    && !LEFT_ALONE.contains(name);
        }

        private static void drop(CodeBuilder code, InvokeInstruction call) {
            List<ClassDesc> types = call.typeSymbol().parameterList();
            for (int i = types.size() - 1; i >= 0; i--) {
                if (TypeKind.from(types.get(i)).slotSize() == 2) {
                    code.pop2();
                } else {
                    code.pop();
                }
            }
            if (call.opcode() != Opcode.INVOKESTATIC) {
                code.pop();
            }
        }
    }

    private static Map<Opcode, Opcode> pairs(Opcode... opcodes) {
        Map<Opcode, Opcode> map = new EnumMap<>(Opcode.class);
        for (int i = 0; i < opcodes.length; i += 2) {
            map.put(opcodes[i], opcodes[i + 1]);
            map.put(opcodes[i + 1], opcodes[i]);
        }
        return map;
    }

    private static Map<Opcode, Opcode> operators() {
        Map<Opcode, Opcode> map =
                pairs(
                        Opcode.IADD,
                        Opcode.ISUB,
                        Opcode.LADD,
                        Opcode.LSUB,
                        Opcode.FADD,
                        Opcode.FSUB,
                        Opcode.DADD,
                        Opcode.DSUB,
                        Opcode.IMUL,
                        Opcode.IDIV,
                        Opcode.LMUL,
                        Opcode.LDIV,
                        Opcode.FMUL,
                        Opcode.FDIV,
                        Opcode.DMUL,
                        Opcode.DDIV,
                        Opcode.IAND,
                        Opcode.IOR,
                        Opcode.LAND,
                        Opcode.LOR,
                        Opcode.ISHL,
                        Opcode.ISHR,
                        Opcode.LSHL,
                        Opcode.LSHR);
        map.put(Opcode.IREM, Opcode.IMUL);
        map.put(Opcode.LREM, Opcode.LMUL);
        map.put(Opcode.IUSHR, Opcode.ISHL);
        map.put(Opcode.LUSHR, Opcode.LSHL);
        map.put(Opcode.IXOR, Opcode.IAND);
        map.put(Opcode.LXOR, Opcode.LAND);
        for (Opcode sign : List.of(Opcode.INEG, Opcode.LNEG, Opcode.FNEG, Opcode.DNEG)) {
            map.put(sign, Opcode.NOP);
        }
        return map;
    }
}
